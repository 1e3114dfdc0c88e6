/** The prompt: words, files and standard input, unchanged. */

import { writeFileSync } from 'node:fs'
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
  'lines.txt': 'end\n\n\n',
  'empty.txt': '',
}
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)

/** Replaces file names of the test folder by their paths. */
function inFolder(words: string[]): string[] {
  return words.map((word) => (word in files ? join(folder, word) : word))
}

test.each<[argv: string[], options: AskingOptions, prompt: unknown]>([
  [['Once', 'upon', 'a  time '], {}, 'Once upon a  time '],
  [[], { stdin: '  two\nlines\r\n' }, '  two\nlines'],
  [['Go on:'], { stdin: 'some text\n' }, 'Go on:\nsome text'],
  [['Go on: '], { stdin: 'some text\n' }, 'Go on: some text'],
  [['-f', 'lines.txt'], {}, 'end\n\n'],
  [['-f', 'tale.txt', '-f', 'open.txt'], {}, 'Once upon\na time\n```\nno line end'],
  [['-f', 'spaced.txt', 'First.'], { stdin: 'why?\n' }, 'First.\nQ: why?'],
])('%j with %j', async (argv, options, prompt) => {
  expect(await promptSentBy(inFolder(argv), options)).toBe(prompt)
})

test.each<[argv: string[], options: AskingOptions, prompt: string, notice: string]>([
  [
    ['Go on', '-q'],
    { stdin: '' },
    'Go on',
    'standard input is empty; sending the prompt without it\nhint: use --no-stdin if it is no input',
  ],
  [['-f', 'tale.txt', '-f', 'empty.txt'], {}, 'Once upon\na time', '--file FILE is empty; sending it anyway'],
])('%j with %j is sent with a notice', async (argv, options, prompt, notice) => {
  const { err, ...sent } = await complete(inFolder(argv), options)
  expect(sent).toMatchObject({ code: 0, asked: [{ json: { prompt } }] })
  expect(err).toBe(`syn: ${notice.replace('FILE', join(folder, 'empty.txt'))}\n`)
})

describe('several prompts in one request', () => {
  test.each<[argv: string[], options: AskingOptions, prompt: unknown]>([
    [['--prompt', 'One', '--prompt', 'Two'], {}, ['One', 'Two']],
    [['--prompt', ''], {}, ''],
    [['--prompt', 'Two', 'On', 'e'], {}, ['On e', 'Two']],
    [['--prompt', 'Two'], { stdin: 'One\n' }, ['One', 'Two']],
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
    [['-p', 'prompt=null'], null],
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
    [[], { stdin: ' \n\n' }, noPrompt],
    [['--body', '-'], { stdin: '{"prompt":[]}' }, noPrompt],
    [['-', '--body', '-'], { stdin: '{}' }, '--body - and the prompt - cannot both read standard input'],
  ])('%j with %j', async (argv, options, refusal) => {
    expect((await refusalOf(inFolder(argv), options)).replaceAll(folder, 'FOLDER')).toBe(refusal)
  })
})
