/** The key stands in nothing that syn writes itself, wherever the service repeats it. Answers and requests are not changed. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leakIn } from '../helpers/canary.ts'
import { delta, end } from '../helpers/chat-chunks.ts'
import { bare } from '../helpers/markdown.ts'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from '../helpers/run-syn.ts'
import { chatAnswer, chatEvents, events, json, startService, testKey, type Answer } from '../helpers/service.ts'

async function runOn(answer: Answer, argv: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  await using service = await startService(answer)
  return await runSyn([...argv, '--retries', '0'], { ...options, env: { ...service.env, ...options.env } })
}

/** The text of all files below a folder. */
function textOfFiles(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
}

const echo = `Incorrect key ${testKey} for "${testKey}".`
const inJson = JSON.stringify({ key: testKey }).replaceAll('/', String.raw`\/`)
const chat = ['chat', 'hi']

/** An error that breaks off within the key. */
function cut(status: number): Answer {
  return (_asked, response) => {
    response.writeHead(status, { 'content-type': 'text/plain', 'content-length': '1000' })
    response.write(`Incorrect key ${testKey.slice(0, -2)}`, () => response.destroy())
  }
}

/** A web page with more text than is shown, which ends within the key. */
const longPage = `<p>${'x '.repeat(192)}${testKey} ${'y '.repeat(99)}</p>`

/** That of LiteLLM, as users of other clients report it (cline's issue 1766). */
const receivedKey = `Authentication Error, LiteLLM Virtual Key expected. Received=${testKey}, expected to start with 'sk-'.`

const errors: readonly [what: string, answer: Answer, argv?: readonly string[]][] = [
  ['text', json(echo, 500)],
  ['JSON', json({ error: { message: echo } }, 400)],
  ['JSON of LiteLLM', json({ error: { message: receivedKey, type: 'auth_error', param: 'None', code: '401' } }, 401)],
  ['JSON with escapes', json(JSON.stringify({ error: echo }).replaceAll('s', String.raw`\u0073`), 400)],
  ['JSON in a string', json({ error: { message: inJson } }, 400)],
  ['a web page', json(`<title>Error</title><h1>${echo.replaceAll('/', '&#47;')}</h1>`, 502)],
  ['a web page that is longer than what is shown', json(longPage, 502)],
  ['a text that breaks off', cut(401)],
  ['text with status 200', json(echo), ['search', 'x']],
  ['an error with status 200', json({ error: echo }), ['search', 'x']],
  ['invalid JSON', json(`{"results":"${testKey}`), ['search', 'x']],
  ['an event', events(`data: ${JSON.stringify({ error: { message: echo } })}\n\n`)],
  ['an event that is not JSON', events(`data: {"choices":"${testKey}\n\n`)],
  ['an event after a part of the answer', events(chatEvents(delta('Hi'), { error: { message: echo } }))],
  ['a redirect', json({}, 307, { location: `https://other.example/${testKey}` })],
]

test.each(errors)('in an error: %s', async (_what, answer, argv = chat) => {
  const narrow = { isTerminal: true, columns: 24 }
  for (const [options, flags] of [[{}, []] as const, [narrow, ['--debug']] as const]) {
    const { code, err } = await runOn(answer, [...argv, ...flags], options)
    expect(code).not.toBe(0)
    expect(err).toContain('[key]')
    expect(leakIn(err.replaceAll('\n', ''))).toBeUndefined()
  }
})

test('in the notice of a retry, and in what the log says of requests', async () => {
  await using service = await startService(json(echo, 500, { 'x-key': testKey }), events(chatAnswer(['Hi'])))
  const { code, err } = await runSyn([...chat, '--debug'], { env: service.env })
  expect({ code, keys: service.asked.map(({ headers }) => headers.authorization) }).toEqual({
    code: 0,
    keys: [`Bearer ${testKey}`, `Bearer ${testKey}`],
  })
  expect(err).toMatch(/^syn: Incorrect key \[key\] for "\[key\]"\. .*retrying/m)
  expect(err).toContain('"authorization":"Bearer [key]"')
  expect(err).toContain('"x-key":"[key]"')
  expect(leakIn(err)).toBeUndefined()
})

describe('in an error that is stored', () => {
  const request = { custom_id: 'a', url: '/v1/embeddings', body: { model: 'hf:x', input: 'x' } }
  const schema = '{"type":"object","additionalProperties":false}'

  test.each<[what: string, answer: Answer, argv: readonly string[], stdin: string]>([
    ['of a conversation', events(chatEvents(delta('Hi'), { error: { message: echo } })), [...chat, '--save'], ''],
    ['of a batch', json({ error: { message: echo } }, 400), ['batch', '--lines'], 'x\n'],
    ['of embeddings in a batch', json(echo, 400), ['batch'], `${JSON.stringify(request)}\n`],
  ])('%s', async (_what, answer, argv, stdin) => {
    for (const toFile of argv[0] === 'batch' ? [true, false] : [false]) {
      const home = emptyFolder()
      const output = toFile ? ['-o', join(home, 'out.jsonl')] : argv[0] === 'batch' ? ['--format', 'jsonl'] : []
      const { code, out } = await runOn(answer, [...argv, ...output], { env: { HOME: home }, stdin })
      expect(code).not.toBe(0)
      const stored = out + textOfFiles(home)
      expect(stored).toContain('[key]')
      expect(leakIn(stored)).toBeUndefined()
    }
  })

  test('of an answer that does not match its schema, whose text is unchanged', async () => {
    const own = 'sk-own/0123456789'
    const answer = events(chatAnswer([JSON.stringify({ [own]: 1 })]))
    const argv = ['batch', '--lines', '--schema', schema, '--format', 'jsonl']
    const { out } = await runOn(answer, argv, { env: { SYN_API_KEY: own }, stdin: 'x\n' })
    const { error, response } = JSON.parse(out) as { error: { message: string }; response: unknown }
    expect(error.message).toContain('[key]')
    expect(error.message).not.toContain(own)
    expect(JSON.stringify(response)).toContain(own)
  })

  test('of a row that is invalid', async () => {
    const stdin = `${JSON.stringify({ prompt: 'x', temperature: testKey })}\n{"prompt":"x"}\n`
    const argv = ['batch', '--skip-invalid', '--format', 'jsonl']
    const { out } = await runOn(events(chatAnswer(['Hi'])), argv, { stdin })
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining('[key]') },
    })
    expect(leakIn(out)).toBeUndefined()
  })
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

test('typed by mistake on a terminal, where lines are wrapped', async () => {
  const { code, err } = await runSyn(['chat', '--timeout', testKey], {
    env: { SYN_API_KEY: testKey },
    isTerminal: true,
    columns: 24,
  })
  expect(code).toBe(2)
  expect(err).toContain('[key]')
  expect(leakIn(err.replaceAll('\n', ''))).toBeUndefined()
})

test('a long key that an error quotes in part', async () => {
  const key = `key-${'0123456789abcdef'.repeat(6)}`
  for (const argv of [
    ['--body', `{"temperature":"my ${key}"}`],
    ['--schema', `"${key}"`],
  ]) {
    const { code, err } = await runSyn(['chat', 'hi', ...argv], { env: { SYN_API_KEY: key } })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('[key]') })
    expect(err).not.toContain('0123')
  }
})

/** Another key than that of the other tests, which must be in no output. */
const own = 'sk-own/0123456789abcdef'

describe('an answer with the key is unchanged', () => {
  const pieces = `It is ${own}.`.match(/.{1,7}/gs) ?? []
  const answer = events(chatEvents(...pieces.map((piece) => delta(piece)), end()))
  const text = pieces.join('')
  const run = (argv: readonly string[], options: RunOptions = {}): Promise<Outcome> =>
    runOn(answer, argv, { ...options, env: { SYN_API_KEY: own, ...options.env } })

  test('as streamed text, and rendered as Markdown', async () => {
    expect(await run(chat)).toEqual({ code: 0, out: `${text}\n`, err: '' })
    expect(bare((await run(chat, { isTerminal: true })).out)).toBe(`${text}\n`)
  })

  test('in a file, a conversation, and the results of a batch', async () => {
    const home = emptyFolder()
    const file = join(home, 'file')
    await run([...chat, '-o', file, '--session', 'x', '-s', own], { env: { HOME: home } })
    expect(readFileSync(file, 'utf8')).toBe(`${text}\n`)
    const stored = textOfFiles(join(home, '.local'))
    expect(stored).toContain(text)
    expect(stored).toContain(`"system":"${own}"`)
    expect((await runSyn(['sessions', 'show', 'x'], { env: { HOME: home, SYN_API_KEY: own } })).out).toContain(text)
    expect((await run(['batch', '--lines'], { stdin: `${own}\n` })).out).toBe(`${text}\n`)
  })
})

describe('a request with the key is printed as it is sent', () => {
  const argv = ['chat', `My key is ${own}`, '-m', 'hf:x']
  const env = { SYN_BASE_URL: 'https://api.example', SYN_API_KEY: own }

  test('with --dry-run', async () => {
    await using service = await startService(events(chatAnswer(['Hi'])))
    await runSyn(argv, { env: { ...env, ...service.env } })
    const { out } = await runSyn([...argv, '--dry-run'], { env })
    expect(JSON.parse(out)).toEqual(service.asked[0]?.json)
    expect(out).toContain(own)
  })
})
