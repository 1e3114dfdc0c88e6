/** The prompt: words, files and standard input, unchanged. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AskingOptions } from '../../helpers/asking.ts'
import { complete, promptSentBy, refusalOf, sentBy } from '../../helpers/complete.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
const files: Record<string, string | Buffer> = {
  'tale.txt': 'Once upon\na time\n',
  'open.txt': '```\nno line end',
  'spaced.txt': 'Q: ',
  'windows.txt': 'one\r\ntwo\r\n',
  'lines.txt': 'end\n\n\n',
  'marked.txt': '\ufeffmarked',
  'empty.txt': '',
  'zeros.txt': 'a\0b',
  'latin1.txt': Buffer.from([0xe9]),
}
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
mkdirSync(join(folder, 'directory'))

/** Replaces file names of the test folder by their paths. */
function inFolder(words: string[]): string[] {
  return words.map((word) => (word in files || word === 'directory' ? join(folder, word) : word))
}

test.each<[argv: string[], options: AskingOptions, prompt: unknown]>([
  [['Once'], {}, 'Once'],
  [['Once', 'upon', 'a  time '], {}, 'Once upon a  time '],
  [['Once', ''], {}, 'Once'],
  [['Once\n'], {}, 'Once\n'],
  [['--', '-1, 0,'], {}, '-1, 0,'],
  [[], { stdin: 'from a pipe\n' }, 'from a pipe'],
  [[], { stdin: '  two\nlines\r\n' }, '  two\nlines'],
  [[], { stdin: 'end\n\n' }, 'end\n'],
  [[], { stdin: '\ufeffmarked' }, 'marked'],
  [['-'], { stdin: 'typed', stdinKind: 'terminal' }, 'typed'],
  [[], { stdin: 'text', stdinKind: 'socket' }, 'text'],
  [['Go on:'], { stdin: 'some text\n' }, 'Go on:\nsome text'],
  [['Go on: '], { stdin: 'some text\n' }, 'Go on: some text'],
  [['-', 'Go on: '], { stdin: 'text', stdinKind: 'socket' }, 'Go on: text'],
  [['--stdin', 'Go on: '], { stdin: 'text', stdinKind: 'socket' }, 'Go on: text'],
  [['Go on:'], { stdin: 'some text', stdinKind: 'socket' }, 'Go on:\nsome text'],
  [['-f', 'tale.txt'], { stdin: 'some text', stdinKind: 'socket' }, 'Once upon\na time\nsome text'],
  [['--no-stdin', 'Go on'], { stdin: 'text' }, 'Go on'],
  [['-f', 'tale.txt'], {}, 'Once upon\na time'],
  [['--file', 'open.txt'], {}, '```\nno line end'],
  [['-f', 'spaced.txt'], {}, 'Q: '],
  [['-f', 'windows.txt'], {}, 'one\r\ntwo'],
  [['-f', 'lines.txt'], {}, 'end\n\n'],
  [['-f', 'marked.txt'], {}, 'marked'],
  [['-f', '-'], { stdin: 'text\n' }, 'text'],
  [['-f', 'tale.txt', '-f', 'open.txt'], {}, 'Once upon\na time\n```\nno line end'],
  [['-f', 'open.txt', '-f', 'tale.txt'], {}, '```\nno line end\nOnce upon\na time'],
  [['-f', 'spaced.txt', 'First.'], { stdin: 'why?\n' }, 'First.\nQ: why?'],
  [['-f', 'tale.txt', 'Tell:'], { stdin: '' }, 'Tell:\nOnce upon\na time'],
])('%j with %j', async (argv, options, prompt) => {
  expect(await promptSentBy(inFolder(argv), options)).toBe(prompt)
})

test.each<[argv: string[], options: AskingOptions, prompt: string, notice: string]>([
  [['Go on'], { stdin: '\n' }, 'Go on', 'standard input is blank; sending the prompt without it'],
  [['Go on'], { stdin: '' }, 'Go on', 'standard input is empty; sending the prompt without it'],
  [['--prompt', 'Two'], { stdin: '' }, 'Two', 'standard input is empty; sending the prompt without it'],
  [['-f', 'tale.txt', '-f', 'empty.txt'], {}, 'Once upon\na time', '--file FILE is empty; sending it anyway'],
])('%j with %j is sent with a notice', async (argv, options, prompt, notice) => {
  const { err, ...sent } = await complete(inFolder(argv), options)
  expect(sent).toMatchObject({ code: 0, asked: [{ json: { prompt } }] })
  expect(err).toBe(`syn: ${notice.replace('FILE', join(folder, 'empty.txt'))}\n`)
})

test('with a prompt, a terminal is not waited for', async () => {
  expect(await promptSentBy(['Once'], { stdinKind: 'terminal', stdin: 'must not be read' })).toBe('Once')
})

describe('several prompts in one request', () => {
  test.each<[argv: string[], options: AskingOptions, prompt: unknown]>([
    [['--prompt', 'One'], {}, 'One'],
    [['--prompt', 'One', '--prompt', 'Two'], {}, ['One', 'Two']],
    [['--prompt', 'One\n'], {}, 'One\n'],
    [['--prompt', ''], {}, ''],
    [['--prompt', 'Two', 'On', 'e'], {}, ['On e', 'Two']],
    [['--prompt', 'Two'], { stdin: 'One\n' }, ['One', 'Two']],
    [['--prompt', 'Two'], { stdin: 'One\n', stdinKind: 'socket' }, ['One', 'Two']],
    [['--prompt', 'Two', '-f', 'tale.txt'], {}, ['Once upon\na time', 'Two']],
    [['--prompt', 'One', '--prompt', 'One'], {}, ['One', 'One']],
  ])('%j with %j', async (argv, options, prompt) => {
    expect(await promptSentBy(inFolder(argv), options)).toEqual(prompt)
  })
})

describe('a prompt of --param or --body', () => {
  const body = JSON.stringify({ prompt: ['One', 'Two'], temperature: 0.5 })
  test.each<[argv: string[], prompt: unknown]>([
    [
      ['--body', '-'],
      ['One', 'Two'],
    ],
    [['--body', '-', '-p', 'prompt=Three'], 'Three'],
    [
      ['--body', '-', '-p', 'prompt=[1,2]'],
      [1, 2],
    ],
    [['--body', '-', '--prompt', 'Three'], 'Three'],
    [['--body', '-', 'Three'], 'Three'],
    [['--body', '-', '-p', 'prompt=Two', 'Three'], 'Three'],
    [['--body', '-', '--prompt-tokens', '[7]'], [7]],
    [['-p', 'prompt=null'], null],
    [['-p', 'prompt='], ''],
  ])('%j', async (argv, prompt) => {
    const usesBody = argv.includes('--body')
    const sent = await sentBy(argv, usesBody ? { stdin: body } : {})
    expect(sent).toEqual({ model: 'syn:large:text', prompt, stream: true, ...(usesBody && { temperature: 0.5 }) })
  })
})

describe('is refused', () => {
  const noPrompt = 'no prompt: give it as arguments or on standard input (for example: syn complete "Once upon a time")'
  test.each<[argv: string[], options: AskingOptions, refusal: string]>([
    [[], {}, noPrompt],
    [[''], {}, noPrompt],
    [[' '], {}, noPrompt],
    [[], { stdin: '' }, noPrompt],
    [[], { stdin: ' \n\n' }, noPrompt],
    [[], { stdinKind: 'terminal' }, noPrompt],
    [['--no-stdin'], { stdin: 'text' }, noPrompt],
    [['-f', 'empty.txt'], {}, noPrompt],
    [['--body', '-'], { stdin: '{"prompt":[]}' }, noPrompt],
    [['--no-stdin', '-'], { stdin: 'text' }, '- and --no-stdin cannot be combined'],
    [[], { stdin: Buffer.from([0xff, 0xd8, 0]) }, 'standard input: not UTF-8 text'],
    [['-f', 'zeros.txt'], {}, '--file FOLDER/zeros.txt: not text: it contains a null byte'],
    [
      ['-f', 'latin1.txt'],
      {},
      '--file FOLDER/latin1.txt: not UTF-8 text, but probably Latin-1 (convert it with iconv -f latin1 -t utf-8)',
    ],
    [['-f', 'missing.txt'], {}, '--file: cannot read missing.txt: no such file'],
    [['-f', 'directory'], {}, '--file: cannot read FOLDER/directory: is a directory'],
    [['-f', ''], {}, '--file: the path is empty'],
    [['-', '-f', '-'], { stdin: 'x' }, '--file - and the prompt - cannot both read standard input'],
    [['-', '--body', '-'], { stdin: '{}' }, '--body - and the prompt - cannot both read standard input'],
  ])('%j with %j', async (argv, options, refusal) => {
    expect((await refusalOf(inFolder(argv), options)).replaceAll(folder, 'FOLDER')).toBe(refusal)
  })
})
