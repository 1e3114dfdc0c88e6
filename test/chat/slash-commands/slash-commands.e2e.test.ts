/** The output of each slash command. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { delta, end, streamed } from '../../helpers/chat-chunks.ts'
import { chat as dialect } from '../../helpers/dialects.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { events, chatAnswer, json, type Answer } from '../../helpers/service.ts'
import { homeWithProfile } from '../../settings/stored.ts'
import { openChat } from '../../helpers/interactive-chat.ts'

const hello = dialect.streamed('Hello')
const { user } = dialect

/** Run one after the other, in a chat that sends no message. */
const inOneLine: [line: string, shown: RegExp | string][] = [
  ['/model syn:small:text', 'model: syn:small:text'],
  ['/model nonsense', /^syn: \/model: "nonsense" is not accepted; expected a name/],
  ['/model', 'model: syn:small:text'],
  ['/system', 'no system prompt'],
  ['/system Be brief.', 'system prompt: Be brief.'],
  ['/system', 'system prompt: Be brief.'],
  ['/system ""', 'no system prompt'],
  ['/set', /^no fields set available: frequency_penalty, .*, top_logprobs, /],
  ['/set temperature 0.5', 'temperature = 0.5'],
  ['/set temperature 5', 'syn: /set temperature: 5 is not accepted; expected a number from 0 to 2'],
  [
    '/set temprature 1',
    'syn: /set: unknown field "temprature" (did you mean temperature?) hint: use /set to list the fields',
  ],
  [
    '/set parallel_tool_calls maybe',
    'syn: /set parallel_tool_calls: "maybe" is not accepted; expected true, false, yes, no, on or off',
  ],
  ['/set stop ["a"', /^syn: \/set stop: not valid JSON at line 1, column 5/],
  ['/rename ""', 'syn: /rename: the name is empty'],
  ['/set tools @-', 'syn: the chat and /set tools - cannot both read standard input'],
  ['/image -', 'syn: /image: standard input is the terminal hint: give a path'],
  ['/image nowhere.png', 'syn: /image: cannot read nowhere.png: no such file'],
  ['/file', 'no attachments'],
  ['/undo', 'syn: /undo: no message yet'],
  ['/retry', 'syn: /retry: no message yet'],
  ['/copy', 'syn: /copy: no message yet'],
  ['/load nowhere', 'syn: no such conversation "nowhere" hint: use syn sessions to list them'],
  ['/usage', 'no token counts yet'],
  ['/raw on', 'Markdown: shown as source'],
  ['/raw off', 'Markdown: rendered'],
  ['/reasoning on', 'reasoning of later answers: in full'],
  ['/reasoning', 'no answer yet reasoning of later answers: in full'],
  ['/reasoning maybe', 'syn: /reasoning: "maybe" is not accepted; expected on or off'],
]

const columns = 40

test('each prints its notice or error', async () => {
  await using chat = await openChat([json({ data: [] })], { columns })
  const shown: [line: string, shown: string][] = []
  for (const [line] of inOneLine) {
    await chat.enter(line)
    shown.push([line, chat.textBelow(`› ${line}`)])
  }
  expect(shown).toEqual(inOneLine.map(([line, text]) => [line, expect.stringMatching(asPattern(text))]))
  expect(chat.screen.lines().filter((line) => line.length > columns)).toEqual([])
  expect(chat.sent()).toEqual([])
})

test('/help fits', async () => {
  await using chat = await openChat([hello], { columns })
  await chat.enter('/help')
  const lines = chat.linesBelow('› /help')
  const row = lines.findIndex((line) => line.startsWith('/model [NAME]'))
  const advice = 'Switch to a model; alone, show the current one.'
  expect(lines[row + 1]).toMatch(/^ +Switch/)
  expect(lines.map((line) => line.trim()).join(' ')).toContain(advice)
  expect(lines).toContain('Ctrl-R')
  expect(lines.join(' ')).toContain('To send text that starts with a command, type two slashes: //text')
  expect(lines.filter((line) => line.length > columns)).toEqual([])
})

test('/help is a table on a terminal of 100 columns', async () => {
  await using chat = await openChat([hello], { columns: 100 })
  await chat.enter('/help')
  expect(chat.linesBelow('› /help').join('\n')).toMatch(/^\/model \[NAME\] +Switch to a model/m)
})

test('only /copy writes to the clipboard', async () => {
  const hostile = events(chatAnswer(['\u001b]52;c;aGVsbG8=\u0007']))
  await using chat = await openChat([hostile], { columns })
  await chat.enter('hi')
  expect(chat.screen.written()).not.toContain('\u001b]52')
  await chat.enter('/copy')
  const text = Buffer.from('\u001b]52;c;aGVsbG8=\u0007').toString('base64')
  expect(chat.screen.written()).toContain(`\u001b]52;c;${text}\u0007`)
  expect(chat.textBelow('› /copy')).toBe(
    'copied 16 characters of answer 1 by OSC 52, if the terminal allows clipboard access',
  )
})

test('/system @NAME is a stored prompt before a file, as -s @NAME is', async () => {
  const folder = emptyFolder()
  const prompts = join(folder, '.config', 'syn', 'prompts')
  mkdirSync(prompts, { recursive: true })
  for (const name of ['style', 'tone']) writeFileSync(join(prompts, `${name}.md`), 'Of the prompt.')
  for (const name of ['style', 'role']) writeFileSync(join(folder, name), 'Of the file.')
  await using chat = await openChat([hello], { folder, columns, env: { HOME: folder } })
  const notice = 'syn: /system: using the prompt style, not the file style here; use @./style for the file'
  for (const [typed, shown] of [
    ['@style', `${notice} system prompt: Of the prompt.`],
    ['@./style', 'system prompt: Of the file.'],
    ['@tone', 'system prompt: Of the prompt.'],
    ['@role', 'system prompt: Of the file.'],
  ] as const) {
    await chat.enter(`/system ${typed}`)
    expect(chat.textBelow(`› /system ${typed}`)).toBe(shown)
  }
})

test('/save writes Markdown, JSON or JSON lines, by the file extension', async () => {
  const folder = emptyFolder()
  await using chat = await openChat([hello], { folder, columns })
  await chat.enter('hi')
  const written: Record<string, string> = {}
  for (const name of ['talk.md', 'talk.json', 'talk.jsonl']) {
    await chat.enter(`/save ${name}`)
    expect(chat.linesBelow(`› /save ${name}`)[0]).toBe(`saved to ${name}`)
    written[name] = readFileSync(join(folder, name), 'utf8')
  }
  expect(written).toEqual({
    'talk.md': '# hi\n\n## User\n\nhi\n\n## Assistant\n\nHello\n',
    'talk.json': '[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello"}]\n',
    'talk.jsonl': '{"role":"user","content":"hi"}\n{"role":"assistant","content":"Hello"}\n',
  })
})

test('/quota asks the service, /usage adds up the chat', async () => {
  const service: Answer = (asked, response) => {
    if (asked.path.endsWith('/quotas')) {
      return json({ subscription: { limit: 10, requests: 2, renewsAt: 'soon' } })(asked, response)
    }
    return hello(asked, response)
  }
  await using chat = await openChat([service], { columns, argv: ['-m', 'hf:one'] })
  await chat.enter('hi')
  await chat.enter('/quota')
  expect(chat.linesBelow('› /quota').join('\n')).toMatch(/subscription\s+2 of 10 used/s)
  await chat.enter('/usage')
  expect(chat.textBelow('› /usage')).toBe('in this conversation: 1 answer · 3 prompt + 2 completion tokens')
})

test('/quota shows the quota that came with the last answer', async () => {
  const left = { subscription: { limit: 10, requests: 3, renewsAt: 'soon' } }
  const paced = dialect.paced({ 'x-synthetic-quotas': JSON.stringify(left) })
  await using chat = await openChat([paced.answer], { columns, dialect })
  chat.screen.type('hi\r')
  await paced.finish('Hello')
  await chat.screen.until((lines) => lines.at(-1) === '›' && lines.includes('Hello'))
  await chat.enter('/quota')
  expect(chat.linesBelow('› /quota').join('\n')).toMatch(/subscription\s+3 of 10 used/s)
  // The status row requests the model list.
  const paths = chat.service.asked.map(({ path }) => path).filter((path) => path !== '/openai/v1/models')
  expect(paths).toEqual([dialect.path])
})

test('/model takes any name with the setting any-model', async () => {
  const home = homeWithProfile({ 'any-model': true })
  await using chat = await openChat([hello], { columns, env: { HOME: home } })
  await chat.enter('/model gpt-4o')
  expect(chat.textBelow('› /model gpt-4o')).toBe('model: gpt-4o')
  await chat.enter('hi')
  expect(chat.sent()).toMatchObject([{ model: 'gpt-4o' }])
})

test('what looks like a command is refused, and Up finds it; with two slashes it is sent', async () => {
  await using chat = await openChat([hello], { columns })
  for (const [text, message] of [
    [
      '/modle hf:one',
      /^syn: unknown command "\/modle" \(did you mean \/model\?\) hint: use \/help to list them; to send/,
    ],
    ['/new ideas', /^syn: \/new takes no argument hint: to send this as a message, type two slashes/],
  ] as const) {
    await chat.enter(text)
    expect(chat.textBelow(`› ${text}`)).toMatch(message)
    await chat.type('\u001b[A', `› ${text}`)
    chat.screen.type('\u0001/')
    await chat.enter('')
    expect(chat.sent().at(-1)?.messages.at(-1)).toEqual(user(text))
  }
})

test('with -u, the line below an answer is that of syn chat -u', async () => {
  await using chat = await openChat([dialect.streamed('Hello', { usage: [7, 2] })], { argv: ['-u'] })
  await chat.enter('hi')
  expect(chat.textBelow('› hi')).toContain('7 prompt + 2 completion tokens · first token ')
})

test('/show shows messages and answers as the chat does, by number', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'notes.txt'), 'remember')
  const choices = streamed(delta('A'), delta('B \u001b[2J', 1), end(), end('stop', 1))
  const answers = [dialect.streamed({ reasoning: 'Let me see.\n' }, 'It is **bold**.\n\n- x'), choices, json({}, 400)]
  await using chat = await openChat(answers, { folder })
  await chat.enter('/file notes.txt')
  for (const text of ['one', 'two', 'three']) await chat.enter(text)
  const rows: [line: string, shown: string[]][] = [
    ['/show 1', ['message 1 of 3 · time', '[notes.txt] › one', '', 'Let me see.', '', 'It is bold.', '', '• x', '']],
    ['/show 2', ['message 2 of 3 · time', '› two', '', 'Answer 1', 'A', '', 'Answer 2', 'B ␛[2J', '']],
    ['/show', ['message 3 of 3 · time', '› three', 'no answer yet', '']],
    ['/show 9', ['syn: /show 9: the conversation has 3 messages', '']],
    ['/show x', ['syn: /show: "x" is not accepted; expected the number of a message', '']],
  ]
  const shown: typeof rows = []
  for (const [line] of rows) {
    await chat.enter(line)
    // The minute may pass between a message and its answer.
    const lines = chat.linesBelow(`› ${line}`).map((text) => text.replace(/ · \d\d:\d\d( to \d\d:\d\d)?$/, ' · time'))
    shown.push([line, lines])
    if (line === '/show 1') {
      expect(chat.screen.cellOf('bold').isBold()).toBeTruthy()
      expect(chat.screen.cellOf('Let me').isDim()).toBeTruthy()
    }
  }
  expect(shown).toEqual(rows)
  expect(chat.sent()).toHaveLength(3)
})

function asPattern(text: RegExp | string): RegExp {
  return typeof text === 'string' ? new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`) : text
}
