/** For a screen reader, which reads what is written: the bytes say each word once. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { type ChatOptions, type InteractiveChat, openChat } from '../helpers/interactive-chat.ts'
import { environment } from '../helpers/program.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService, testKey } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'
import { toolsFile } from '../helpers/tools.ts'

const env = { ACCESSIBLE: '1' }
const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`

/** Without the sequences that set up the keyboard, colors, and carriage returns. */
function heard({ screen }: Pick<InteractiveChat, 'screen'>): string {
  // oxlint-disable-next-line no-control-regex
  return screen.written().replaceAll(/\u001b\[[<>?]?[\d;:]*[A-Za-z]|\u001b\][^\u001b\u0007]*\u001b\\|\r/g, '')
}

/** Types, and waits until this was written, and nothing else. */
async function hears(chat: InteractiveChat, keys: string, said: string): Promise<void> {
  const before = heard(chat).length
  chat.screen.type(keys)
  await chat.screen.until(() => heard(chat).length >= before + said.length)
  expect(heard(chat).slice(before)).toBe(said)
}

function open(answers: Parameters<typeof openChat>[0], options: ChatOptions = {}): Promise<InteractiveChat> {
  return openChat(answers, { ...options, env: { ...env, ...options.env }, argv: ['-q', ...(options.argv ?? [])] })
}

test('a key writes what is new, with backspaces before it, or the whole line below', async () => {
  await using chat = await open([dialect.streamed('Hi')], { columns: 30 })
  const rows: [keys: string, said: string][] = [
    ['helo', 'helo'],
    ['\u001b[D', '\b'],
    ['l', 'lo\b'],
    ['\u0005', 'o'],
    ['?', '?'],
    ['\u007f', '\b \b'],
    ['\r', '\n\nHi\n\u0007\n› '],
    ['\u001b[A', 'hello'],
    [paste('\none\ntwo'), '\n  one\n  two'],
    ['\u007f', '\b \b'],
    ['\u0001\u007f', '\n› hello\n  onetw\b\b'],
    ['\u0003', '\n› '],
    ['hello world, and', 'hello world, and'],
    [' so on, on two', ' so on, on two'],
    ['\u007f', '\b \b'],
    ['\u0003', '\n› '],
    // From one text of the history to another that only goes on.
    ['\u001b[A', 'hello world, and so on, on tw'],
    ['\u001b[A', '\n› hello\n  onetw'],
    ['\u001b[A\u001b[A', '\n› hello'],
    ['\u001b[B', '\n› hello\n  onetw'],
    ['\u0003', '\n› '],
    ['/r', '/r'],
    ['\t', '\n/raw  /retry  /rename  /reasoning  /from\n› /r'],
    ['aw\t', 'aw '],
    ['\u0015', '\b\b\b\b\b     \b\b\b\b\b'],
    ['\u0012', '\nsearch: '],
    ['h', '\nhello onetw\nsearch: h'],
    ['e', 'e'],
    ['\u0003', '\n› '],
  ]
  for (const [keys, said] of rows) await hears(chat, keys, said)
})

test('an answer is written by the paragraph, and ends with a bell; what was typed meanwhile follows', async () => {
  const paced = dialect.paced()
  // Without color, too, the marks of Markdown are left out.
  await using chat = await open([paced.answer, dialect.streamed('Two')], { env: { NO_COLOR: '1' } })
  const start = heard(chat).length
  const soFar = (): string => heard(chat).slice(start)
  chat.screen.type('one\r')
  await paced.send('# Title\n\nSome *words*')
  await chat.screen.until(() => soFar().includes('Title'))
  chat.screen.type('two\r\u0005draft')
  await paced.send(
    ' of\na `paragraph`.\n\n- an\n- item\n\n| a | b |\n|---|---|\n| c | d |\n| e | f |\n\n---\n\n```js\nlet',
  )
  await chat.screen.until(() => soFar().includes('b: f\n'))
  expect(soFar()).not.toContain('let')
  await paced.finish(' x\n```\nEnd')
  await chat.screen.until(() => soFar().endsWith('› draft'))
  expect(soFar()).toBe(
    [
      'one\n\nTitle\n\nSome words of\na paragraph.\n\n• an\n• item\n\na: c\nb: d\n\na: e\nb: f\n\n\njs\nlet x\n\nEnd\n',
      '\n› two\n\nTwo\n',
      '\n› draft',
    ].join('\u0007'),
  )
})

describe('a question is answered by a word and Enter', () => {
  const question = 'Run write? [y]es, [n]o, [a]lways in this '
  const newCall = () => {
    const path = join(emptyFolder(), 'one')
    const command = ['sh', '-c', 'echo > "$1"; echo done', 'sh', '{{file}}']
    const write = { command, parameters: { type: 'object', properties: { file: { type: 'string' } } } }
    const argv = ['--tools-file', toolsFile({ tools: { write } }), '-T', 'write']
    return { path, argv, call: { call: 'write', given: JSON.stringify({ file: path }) } }
  }

  test.each([
    ['Yes', true],
    ['n', false],
    ['yes sir', false],
    ['', false],
  ])('%j in the chat', async (word, isRun) => {
    const { path, argv, call } = newCall()
    await using chat = await open([dialect.streamed(call), dialect.streamed('Ok')], { argv })
    chat.screen.type('Go\r')
    await chat.screen.until(() => heard(chat).endsWith(`${question}chat:\nanswer: `))
    for (const [keys, said = keys] of [['x'], ['\u007f', '\b \b'], [word]] as const) await hears(chat, keys, said)
    expect(existsSync(path)).toBe(false)
    chat.screen.type('\r')
    await chat.screen.until(() => /Ok\n\u0007\n› /.test(heard(chat)))
    expect(existsSync(path)).toBe(isRun)
  })

  test.each([
    ['Yes', true],
    ['no', false],
    ['yes sir', false],
  ])('%j outside', async (word, isRun) => {
    const { path, argv, call } = newCall()
    const answers = [dialect.streamed(call), dialect.streamed('Ok')]
    await using service = await startService((asked, response) => answers.shift()?.(asked, response))
    const screen = synOnTerminal(
      ['chat', '-q', ...argv, 'Go'],
      { ...environment(service), ...env },
      { asProcess: true },
    )
    await screen.until((lines) => lines.at(-1) === `${question}run:`)
    screen.type(`xyz\u007f\u007f\u007f${word}\r`)
    expect(await screen.ended).toBe(0)
    expect(screen.lines()).toContain(`${question}run: ${word}`)
    // The question rings, then the end of the answer.
    expect(screen.written().split('\u0007')).toHaveLength(3)
    expect(existsSync(path)).toBe(isRun)
  })
})

test('login asks in lines: each word is written once, the key never', async () => {
  await using service = await startService(json({ subscription: { limit: 500, requests: 12 } }))
  const screen = synOnTerminal(['login'], { HOME: emptyFolder(), ...env }, { asProcess: true })
  const typed: [question: string, keys: string][] = [
    ['Base URL of the service: ', 'none\r'],
    ['Base URL of the service: ', `${service.baseUrl}x\u007f\r`],
    ['API key (hidden): ', `${testKey}\u001ax\u007f\r`],
  ]
  let said = ''
  for (const [question, keys] of typed) {
    const start = said.length
    await screen.until(() => heard({ screen }).slice(start).endsWith(question))
    screen.type(keys)
    said = heard({ screen })
  }
  expect(await screen.ended).toBe(0)
  expect(heard({ screen }).split('\n').slice(0, 6)).toEqual([
    'Base URL of the service: none',
    'base URL: "none" does not start with https://',
    `Base URL of the service: ${service.baseUrl}x`,
    `Base URL of the service: ${service.baseUrl}`,
    'API key (hidden): ',
    expect.stringMatching(/^syn: stored API key/),
  ])
})

test.each(['\u0003', '\u0004', '\u001b'])('%j leaves login', async (key) => {
  const screen = synOnTerminal(['login'], { HOME: emptyFolder(), ...env }, { asProcess: true })
  await screen.until((lines) => lines.at(-1) === 'Base URL of the service:')
  screen.type(key)
  expect(await screen.ended).toBe(130)
})

test.each<[what: string, env: Record<string, string>, isAccessible: boolean]>([
  ['the setting', {}, true],
  ['the variable, over the setting', { ACCESSIBLE: '0' }, false],
])('%s decides', async (_what, variables, isAccessible) => {
  const HOME = emptyFolder()
  await runSyn(['config', 'set', 'accessible', 'true'], { env: { HOME } })
  await using chat = await openChat([dialect.streamed('Hi')], { argv: ['-q'], env: { HOME, ...variables } })
  await chat.enter('one')
  expect(chat.screen.written().includes('\u0007\r\n')).toBe(isAccessible)
  await chat.enter('/help')
  expect(chat.screen.written().includes('row above the prompt')).toBe(!isAccessible)
})
