/** The key is never printed, wherever the service repeats it. */

import { expect, test } from 'vitest'
import { leakIn } from '../helpers/canary.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, chatEvents, events, json, startService, testKey, type Answer } from '../helpers/service.ts'

async function runOn(answer: Answer, ...argv: string[]): Promise<Outcome> {
  await using service = await startService(answer)
  return await runSyn(['chat', 'hi', '--retries', '0', ...argv], { env: service.env })
}

/** Pieces of an answer, each with its token. */
function probable(pieces: readonly string[]): Answer {
  const chunks = pieces.map((content) => ({
    choices: [{ index: 0, delta: { content }, logprobs: { content: [{ token: content, logprob: -0.1 }] } }],
  }))
  return events(chatEvents(...chunks, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
}

const echo = `Incorrect key ${testKey} for ${testKey}.`
const masked = 'Incorrect key [key] for [key].'
/** Sends an error that breaks off within the key. */
function cut(status: number): Answer {
  return (_asked, response) => {
    response.writeHead(status, { 'content-type': 'text/plain', 'content-length': '1000' })
    response.write(`Incorrect key ${testKey.slice(0, -2)}`, () => response.destroy())
  }
}

const whole = { id: testKey, object: 'chat.completion', model: testKey, choices: [{ message: { content: echo } }] }

test.each<[what: string, answer: Answer, argv: string[], shown: string]>([
  ['an error that is text', json(echo, 500), [], masked],
  ['an error that breaks off', cut(401), [], 'Incorrect key [key] (401 Unauthorized)'],
  ['a text that breaks off', cut(200), [], 'Incorrect key [key]\n'],
  ['a streamed answer', events(chatAnswer([echo])), [], masked],
  ['an answer in pieces', events(chatAnswer([...echo])), [], masked],
  ['an answer in pieces as JSON', events(chatAnswer([...echo])), ['--json'], masked],
  ['an answer with probabilities', probable([echo]), ['--logprobs', '--color'], masked],
  ['an answer in pieces with probabilities', probable(echo.match(/.{1,9}/gs) ?? []), ['--logprobs'], masked],
  ['a streamed answer as JSON', events(chatAnswer([echo])), ['--json'], masked],
  ['a streamed answer as chunks', events(chatAnswer([echo])), ['--jsonl'], masked],
  ['a whole answer', json(whole), ['--no-stream'], masked],
  ['a whole answer as JSON', json(whole), ['--no-stream', '--json'], masked],
])('in %s', async (_what, answer, argv, shown) => {
  const { out, err } = await runOn(answer, ...argv)
  expect(out + err).toContain(shown)
  expect(out + err).not.toContain(testKey.slice(0, 8))
})

test('in the --debug log of the request', async () => {
  const { err } = await runOn(events(chatAnswer(['Hi'])), '--debug')
  expect(err).toContain('"authorization":"Bearer [key]"')
  expect(err).not.toContain(testKey)
})

test('in pieces with colored tokens', async () => {
  for (const size of [1, 4, 30]) {
    const pieces = echo.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    const { out } = await runOn(probable(pieces), '--logprobs', '--color')
    expect(out.replaceAll(/\u001b\[[\d;]*m/g, '')).toBe(`${masked}\n`)
  }
})

test.each([
  // What looks like a key is left out, whether it is the stored one or not.
  [[testKey], 'unknown command "…"'],
  [['chat', '--timeout', testKey], '[key]'],
  [['config', 'list', '--profile', `no ${testKey}`], '[key]'],
])('typed by mistake: %j', async (argv, shown) => {
  const { code, err } = await runSyn(argv, { env: { SYN_API_KEY: testKey } })
  expect(code).toBe(2)
  expect(err).toContain(shown)
  expect(err).not.toContain(testKey)
})

test.each([80, 24])('typed by mistake on a terminal of %i columns, where lines are wrapped', async (columns) => {
  const { code, err } = await runSyn(['chat', '--timeout', testKey], {
    env: { SYN_API_KEY: testKey },
    isTerminal: true,
    columns,
  })
  expect(code).toBe(2)
  expect(err).toContain('[key]')
  expect(leakIn(err.replaceAll('\n', ''))).toBeUndefined()
})

test.each([
  [(key: string) => ['--temperature', key]],
  [(key: string) => ['--body', `{"temperature":"my ${key}"}`]],
  [(key: string) => ['--schema', `"${key}"`]],
])('a long key that an error quotes in part: %#', async (argv) => {
  const key = `key-${'0123456789abcdef'.repeat(6)}`
  const { code, err } = await runSyn(['chat', 'hi', ...argv(key)], { env: { SYN_API_KEY: key } })
  expect(code).toBe(2)
  expect(err).not.toContain('0123')
  expect(err).toContain('[key]')
})
