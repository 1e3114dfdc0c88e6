/** A stored prompt as a command of the chat: what is sent and shown, and how long its fields hold. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat as dialect } from '../../helpers/dialects.ts'
import { openChat, type ChatOptions, type InteractiveChat } from '../../helpers/interactive-chat.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { wide } from '../../helpers/terminal.ts'

const hello = dialect.streamed('Hello')
const { user, assistant } = dialect

const review = `---
description: Review a diff
model: hf:org/reviewer
temperature: 0
system: Be strict.
---
Look for {{focus}} as @notes.txt says.

{{.}}
`

function open(prompts: Record<string, string>, options: ChatOptions = {}, answers = [hello]): Promise<InteractiveChat> {
  const home = emptyFolder()
  const folder = join(home, '.config', 'syn', 'prompts')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(prompts)) writeFileSync(join(folder, `${name}.md`), text)
  writeFileSync(join(home, 'notes.txt'), 'remember')
  writeFileSync(join(home, 'rows.txt'), 'a diff\n')
  return openChat(answers, { columns: wide, folder: home, ...options, env: { HOME: home, ...options.env } })
}

const filled = 'Look for data races as @notes.txt says.\n\na diff'

test('the request is that of syn chat and of a batch of one row, and its fields hold for it only', async () => {
  await using chat = await open({ review })
  await chat.enter('/set temperature 1')
  await chat.enter('/review --focus="data races" a diff')
  expect(chat.screen.lines()).toContain('› Look for data races as @notes.txt says.')
  const { stream_options: _usage, ...sent } = (chat.sent()[0] ?? {}) as Record<string, unknown>
  for (const argv of [
    ['chat', 'a diff', '--no-stdin'],
    ['batch', join(chat.home, 'rows.txt')],
  ]) {
    const line = [...argv, '-t', '@review', '--var', 'focus=data races', '--dry-run']
    const { out } = await runSyn(line, { env: { HOME: chat.home } })
    expect(sent).toEqual(JSON.parse(out))
  }
  await chat.enter('next')
  const next = chat.sent()[1]
  expect(next).toMatchObject({ temperature: 1, messages: [user(filled), assistant('Hello'), user('next')] })
  expect(next?.model).not.toBe('hf:org/reviewer')
})

test.each([
  [String.raw`--focus="it's a \d “b”" a diff`, String.raw`it's a \d “b”`],
  [`--focus='"a" b' a diff`, '"a" b'],
])('%s', async (typed, focus) => {
  await using chat = await open({ review })
  await chat.enter(`/review ${typed}`)
  expect(chat.sent()[0]?.messages.at(-1)).toEqual(user(filled.replace('data races', () => focus)))
})

test('/retry has the fields again, and Up brings back the command', async () => {
  await using chat = await open({ review })
  await chat.enter('/review --focus=x a diff')
  await chat.enter('/retry')
  await chat.enter('/retry')
  expect(chat.sent()).toHaveLength(3)
  expect(chat.sent()[2]).toEqual(chat.sent()[0])
  await chat.type('\u001b[A\u001b[A', '› /review --focus=x a diff')
})

test('what the command line sets wins over the prompt', async () => {
  await using chat = await open({ review }, { argv: ['--temperature', '0.5', '-s', 'Mine.', '-m', 'hf:org/flag'] })
  await chat.enter('/review --focus=x a diff')
  expect(chat.sent()[0]).toMatchObject({
    model: 'hf:org/flag',
    temperature: 0.5,
    messages: [{ role: 'system', content: 'Mine.' }, user(filled.replace('data races', 'x'))],
  })
  // What replaced it since is of the chat, over which the prompt wins.
  for (const line of ['/set temperature 1', '/system Other.', '/model hf:org/other']) await chat.enter(line)
  await chat.enter('/review --focus=x a diff')
  expect(chat.sent()[1]).toMatchObject({ model: 'hf:org/reviewer', temperature: 0 })
  expect(chat.sent()[1]?.messages[0]).toEqual({ role: 'system', content: 'Be strict.' })
})

test('the schema checks the answer, of this message only', async () => {
  await using chat = await open({ person: '---\nschema: {"type": "object"}\n---\nA person' })
  await chat.enter('/person')
  expect(chat.screen.lines().join(' ')).toContain('the answer does not match the schema')
  expect(chat.sent()[0]).toMatchObject({ response_format: { type: 'json_schema' } })
  await chat.enter('next')
  expect(chat.sent()[1]).not.toHaveProperty('response_format')
})

const bad = '---\ntemprature: 0\n---\nHi'
const brief = '---\nsystem: Be brief.\n---\n'
const both = '---\nschema: {}\nresponse_format: {"type": "text"}\n---\nHi'

const refused: [text: string, message: string][] = [
  ['/review a diff', 'prompt review: no value for "focus" hint: use --focus=TEXT'],
  ['/review --focus=x', 'prompt review: no value for "." hint: give words, or pipe in a text'],
  ['/review --focus="a b', '/review: "--focus=\\"a b" is not accepted; expected --NAME=VALUE, with quotes'],
  [String.raw`/review --focus="a \" b" x`, String.raw`/review: "--focus=\"a \\\" b\" x" is not accepted`],
  ['/review --focus=“a b” file', '/review: "--focus=“a b” file" is not accepted'],
  ['/brief', 'prompt brief: no text to send'],
  ['/both', 'both.md, line 2: schema and response_format cannot be combined'],
  ['/bad', 'bad.md, line 2: "temprature" is not a field that a prompt can set here (did you mean temperature?)'],
  ['/revew a', 'unknown command "/revew" (did you mean /review?)'],
]

test('what is refused sends nothing', async () => {
  await using chat = await open({ review, bad, brief, both })
  for (const [text, message] of refused) {
    await chat.enter(text)
    expect(chat.textBelow(`› ${text}`)).toContain(message)
  }
  expect(chat.sent()).toEqual([])
})

test('a message that looks like one comes back with two slashes', async () => {
  await using chat = await open({ go: 'Go:' })
  await chat.enter('//go on')
  await chat.type('/edit 1\r', '› //go on')
  expect(chat.sent().map(({ messages }) => messages)).toEqual([[user('/go on')]])
})

test('/help and the list have the prompts, a built-in command wins, and descriptions are sanitized', async () => {
  const named = (text: string): string => `---\ndescription: ${text}\n---\nHi`
  const prompts = { review: named('Look \u001b]0;x\u0007twice'), raw: named('never'), clear: named('never') }
  await using chat = await open(prompts)
  await chat.enter('/help')
  const help = chat.screen.lines().join('\n')
  const taken = '\\[TEXT\\] +Not available: a command has this name\\.\n'
  expect(help).toMatch(new RegExp(`prompt +description\n/clear ${taken}/raw ${taken}/review \\[TEXT\\] +Look .*twice`))
  expect(help).not.toContain('never')
  chat.screen.type('/rev')
  await chat.screen.until((lines) => lines.some((line) => /^ +\/review +Look .*twice/.test(line)))
  await chat.clear()
  await chat.enter('/raw')
  expect(chat.sent()).toEqual([])
})
