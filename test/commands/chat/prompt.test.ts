/** The sources of the prompt and their order: words, files, standard input. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AskingOptions } from '../../helpers/asking.ts'
import { chat, promptSentBy, refusalOf, sentBy } from '../../helpers/chat.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
const system = join(folder, 'system.txt')
writeFileSync(system, 'Be brief.\n')
const empty = join(folder, 'empty.log')
writeFileSync(empty, '')
const messages = join(folder, 'messages.jsonl')
writeFileSync(messages, '{"role":"user","content":"Hi"}\n{"role":"assistant","content":"Hello"}\n')

test.each<[argv: string[], options: AskingOptions, prompt: string]>([
  [['Say', 'hello', 'in  Dutch'], {}, 'Say hello in  Dutch'],
  [[], { stdin: 'two\nlines\r\n' }, 'two\nlines'],
  [['Summarize'], { stdin: 'some text\n' }, 'Summarize\n\nsome text'],
  [['Summarize', '-f', '/dev/null'], {}, 'Summarize\n\n/dev/null:\n```\n\n```'],
  [['Summarize', '-'], { stdin: 'text' }, 'Summarize\n\ntext'],
  [['-'], { stdin: 'typed', stdinKind: 'terminal' }, 'typed'],
  [['--no-stdin', 'hi'], { stdin: 'text' }, 'hi'],
])('%j with %j sends %j', async (argv, options, prompt) => {
  expect(await promptSentBy(argv, options)).toBe(prompt)
})

const without = 'sending the prompt without it\nhint: use --no-stdin if it is no input'

test.each<[argv: string[], options: AskingOptions, notice: string]>([
  [['-q'], { stdin: '' }, `standard input is empty; ${without}`],
  [[], { stdin: ' \n' }, `standard input is blank; ${without}`],
  [['-q', '-f', '-'], { stdin: '' }, '--file - is empty; sending it anyway'],
  // The pipe may be that of cron.
  [['-f', empty], { stdin: '' }, `--file ${empty} is empty; sending it anyway`],
])('Summarize with %j and %j is sent with a notice', async (argv, options, notice) => {
  expect(await chat(['Summarize', ...argv], options)).toMatchObject({ code: 0, err: `syn: ${notice}\n`, asked: [{}] })
})

test('with a prompt, a terminal is not waited for', async () => {
  expect(await promptSentBy(['hi'], { stdinKind: 'terminal', stdin: 'must not be read' })).toBe('hi')
})

describe('the system message', () => {
  test.each<[argv: string[], text: string]>([[['--system', `@${system}`], 'Be brief.']])(
    '%j comes first',
    async (argv, content) => {
      const { messages: sent } = await sentBy([...argv, '--messages', messages, 'hi'])
      expect(sent).toEqual([
        { role: 'system', content },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'hi' },
      ])
    },
  )
})

describe('--messages', () => {
  const conversation = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ]
  const last = { role: 'user', content: 'hi' }
  test.each<[title: string, argv: string[], options: AskingOptions, sent: object[]]>([
    ['JSONL, then a prompt', ['--messages', messages, 'hi'], {}, [...conversation, last]],
    ['a JSON array on standard input', ['--messages', '-'], { stdin: JSON.stringify(conversation) }, conversation],
    [
      'a file, and the prompt from a socket',
      ['--messages', messages],
      { stdin: 'hi\n', stdinKind: 'socket' },
      [...conversation, last],
    ],
  ])('%s', async (_title, argv, options, sent) => {
    expect((await sentBy(argv, options)).messages).toEqual(sent)
  })
})

describe('is refused', () => {
  const noPrompt =
    'no prompt: give it as arguments or on standard input (for example: syn chat "Say hello in three languages")'
  test.each<[argv: string[], options: AskingOptions, refusal: string]>([
    [[], {}, noPrompt],
    [[], { stdin: '' }, noPrompt],
    [[], { stdinKind: 'terminal' }, noPrompt],
    [['-s', 'Be kind.'], {}, noPrompt],
    [
      [],
      { stdin: Buffer.from([0xff, 0xfe, 0x41]) },
      'standard input: not UTF-8 text, but probably UTF-16 (convert it with iconv -f utf-16 -t utf-8)',
    ],
    [['-', '--messages', '-'], { stdin: '[]' }, '--messages - and the prompt - cannot both read standard input'],
    [['hi', '-f', '-', '-f', '-'], { stdin: 'x' }, '--file - and --file - cannot both read standard input'],
  ])('%j with %j', async (argv, options, refusal) => {
    expect(await refusalOf(argv, options)).toContain(refusal)
  })
})
