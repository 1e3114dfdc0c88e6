/** Errors that a service reports with status 200, in a stream or as JSON, and answers that it could not complete. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, chatEvents, events, json, startService, type Answer } from '../helpers/service.ts'

async function ask(answer: Answer, ...argv: string[]): Promise<Outcome> {
  await using service = await startService(answer)
  return await runSyn(['chat', '-m', 'hf:a/b', 'hi', '--retries', '0', ...argv], { env: service.env })
}

const text = chatEvents({ choices: [{ index: 0, delta: { content: 'Part' } }] }).replace('data: [DONE]\n\n', '')
const key = 'check the API key, or use syn login to store another'

/** Services report errors in a chunk, or in a whole reply: each case is tried in both. */
test.each([
  ['invalid_api_key', { message: 'No.', code: 'invalid_api_key' }, 3, key],
  ['status 401 as a number', { message: 'No.', code: 401 }, 3, key],
  ['status 429 as text', { message: 'No.', code: '429' }, 5, undefined],
  [
    'a missing model',
    { message: 'The model `a/b` does not exist', code: 404 },
    4,
    'the model may have been rotated out',
  ],
  ['invalid_request_error', { message: 'No.', type: 'invalid_request_error' }, 1, undefined],
  ['a fault of the service', { message: 'No.', code: 503 }, 6, 'if syn batch is running'],
  ['an error without a code', { message: 'No.' }, 6, undefined],
] as [string, { message: string }, number, string | undefined][])('%s', async (_what, error, exit, hint) => {
  for (const answer of [events(`data: ${JSON.stringify({ error })}\n\n`), json({ error })]) {
    const { code, out, err } = await ask(answer)
    expect({ code, out }, err).toEqual({ code: exit, out: '' })
    expect(err).toContain(`syn: ${error.message}\n`)
    expect(err.includes('hint: ')).toBe(hint !== undefined)
    if (hint !== undefined) expect(err).toContain(`hint: ${hint}`)
  }
  const { code, out, err } = await ask(events(`${text}data: ${JSON.stringify({ error })}\n\n`))
  expect({ code, out }).toEqual({ code: 7, out: 'Part' })
  expect(err).toContain(`syn: the answer was cut short: ${error.message}\n`)
})

test.each([
  ['of Gemini', 'data: [{"error":{"code":400,"message":"Too long."}}]\n\n', 'Too long.'],
  ['of older llama.cpp, as a field', 'error: {"code":500,"message":"Too long."}\n\n', 'Too long.'],
  ['as a line of JSON', '{"error":{"message":"Too long."}}\n\n', 'Too long.'],
])('an error %s is shown, also after text', async (_what, event, message) => {
  const { code, err } = await ask(events(text + event))
  expect({ code, err }).toEqual({ code: 7, err: expect.stringContaining(`cut short: ${message}\n`) })
})

describe('a reply with an empty error is an answer', () => {
  const whole = { choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] }
  const chunk = { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }
  const empty = [null, {}, [], { code: null, message: null, details: [] }, { code: 0, message: 'success' }]

  test.each(empty)('%j', async (error) => {
    const inChoice = { choices: [{ ...chunk.choices[0], error }] }
    for (const answer of [
      events(chatEvents({ ...chunk, error })),
      events(chatEvents(inChoice)),
      json({ ...whole, error }),
    ]) {
      expect(await ask(answer)).toEqual({ code: 0, out: 'Hello\n', err: '' })
    }
    await using service = await startService(json({ object: 'list', data: [{ id: 'hf:a/b' }], error }))
    expect((await runSyn(['models', '--ids'], { env: service.env })).out).toContain('hf:a/b\n')
  })
})

test.each([
  ['vLLM', { object: 'error', message: 'No.', code: 404 }, 4],
  ['a status in a list', { errors: [{ message: 'No.', code: 401 }] }, 3],
  ['errors in a list', { error: [{ message: 'No.' }] }, 6],
  ['FastAPI', { detail: 'No.' }, 6],
  ['success', { success: false, message: 'No.' }, 6],
])('in place of any record, as of %s', async (_what, reply, exit) => {
  await using service = await startService(json(reply))
  for (const argv of [
    ['quota', '--fail-below', '10%'],
    ['models'],
    ['embed', '-m', 'hf:a/b', 'hi'],
    ['search', 'hi'],
  ]) {
    const { code, out, err } = await runSyn(argv, { env: service.env })
    expect({ argv, out, code }, err).toEqual({ argv, out: '', code: argv[0] === 'quota' && exit === 4 ? 4 : exit })
    expect(err).toContain('No.')
  }
})

test('in a stream, as of FastAPI: its words, and no retry', async () => {
  await using service = await startService(events('data: {"detail":"No."}\n\n'))
  const { code, err } = await runSyn(['chat', '-m', 'hf:a/b', 'hi'], { env: service.env })
  expect({ code, err, requests: service.asked.length }).toEqual({ code: 6, err: 'syn: No.\n', requests: 1 })
})

test('a chunk beside the answer that has a message is no error', async () => {
  const answer = `data: {"status":"queued","message":"busy"}\n\nevent: ping\ndata: pong\n\n${chatAnswer(['Hello'])}`
  expect(await ask(events(answer))).toEqual({ code: 0, out: 'Hello\n', err: '' })
})

test.each([
  ['MiniMax', { base_resp: { status_code: 1004, status_msg: 'login fail' } }, 'login fail'],
  ['SiliconFlow', { code: 20_012, message: 'Model does not exist' }, 'Model does not exist'],
])('a reply without an answer says why: %s', async (_what, reply, message) => {
  const { code, err } = await ask(json(reply))
  expect({ code, err }).toEqual({
    code: 6,
    err: expect.stringContaining(`syn: the reply contains no answer: ${message}`),
  })
})

test('--fallback asks the alias after an error in a stream, too', async () => {
  await using service = await startService((asked, response) => {
    const { model } = (asked.json ?? {}) as { model?: string }
    if (asked.method === 'GET') return json({ data: [{ id: 'syn:large:text' }] })(asked, response)
    const error = { message: 'The model a/b does not exist', code: 'model_not_found' }
    const answer = model === 'syn:large:text' ? chatAnswer(['Hello']) : `data: ${JSON.stringify({ error })}\n\n`
    return events(answer)(asked, response)
  })
  const { code, out } = await runSyn(['chat', '-m', 'hf:a/b', '--fallback', 'hi'], { env: service.env })
  expect({ code, out }).toEqual({ code: 0, out: 'Hello\n' })
})

describe('an unknown path with status 200, as LM Studio answers it', () => {
  const answers: Answer = (asked, response) => {
    if (asked.path === '/v1/models') return json({ data: [{ id: 'hf:a/b' }] })(asked, response)
    if (asked.path === '/v1/chat/completions') return events(chatAnswer(['Hello']))(asked, response)
    return json({ error: `Unexpected endpoint or method. (${asked.method} ${asked.path})` })(asked, response)
  }

  test('the next URL is tried', async () => {
    await using service = await startService(answers)
    const env = { ...service.env, SYN_BASE_URL: `${service.baseUrl}/v1` }
    const { code, out } = await runSyn(['chat', '-m', 'hf:a/b', 'hi'], { env })
    expect({ code, out }).toEqual({ code: 0, out: 'Hello\n' })
    expect((await runSyn(['models', '--ids'], { env })).out).toContain('hf:a/b\n')
  })

  test('login checks the model list, and quota says that there is none', async () => {
    await using service = await startService(answers)
    const argv = ['login', '--base-url', `${service.baseUrl}/v1`, '--with-key']
    const { code, err } = await runSyn(argv, { env: { HOME: emptyFolder() }, stdin: 'k'.repeat(20) })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('the service has no quota') })
    const quota = await runSyn(['quota'], { env: service.env })
    expect(quota).toMatchObject({ code: 4, err: expect.stringContaining('syn: the service has no endpoint GET ') })
  })
})

describe('an answer that the service could not complete', () => {
  const chunk = (more: object): string =>
    chatEvents({ choices: [{ index: 0, delta: { content: 'Part' } }] }, { choices: [{ index: 0, delta: {}, ...more }] })
  const error = { code: 502, message: 'Upstream died' }

  test.each([
    ['abort', { finish_reason: 'abort' }, 'the service aborted the answer'],
    ['an error of the choice', { finish_reason: 'error', error }, 'Upstream died'],
    ['an error of the choice that claims to be whole', { finish_reason: 'stop', error }, 'Upstream died'],
    ['Aborted, in any case', { finish_reason: 'ABORTED' }, 'the service aborted the answer (ABORTED)'],
  ])('%s: exit 7, and the file is kept', async (_what, more, message) => {
    const file = join(emptyFolder(), 'a.txt')
    const { code, err } = await ask(events(chunk(more)), '-o', file)
    expect({ code, err }).toEqual({ code: 7, err: expect.stringContaining(`cut short: ${message}`) })
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(`${file}.partial`, 'utf8')).toBe('Part')
    expect((await ask(events(chunk(more)))).out).toBe('Part')
  })

  test.each(['MAX_TOKENS', 'model_length', 'model_context_window_exceeded'])(
    '%s is a limit of tokens: exit 7, and the file is kept',
    async (reason) => {
      const file = join(emptyFolder(), 'a.txt')
      const { code, err } = await ask(events(chunk({ finish_reason: reason })), '-o', file)
      expect({ code, err }).toEqual({ code: 7, err: expect.stringMatching(/the answer was cut off/) })
      expect(existsSync(file)).toBe(false)
    },
  )

  test.each(['SAFETY', 'sensitive'])('%s is named in a notice', async (reason) => {
    const { code, err } = await ask(events(chunk({ finish_reason: reason })))
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("the service's content filter") })
  })
})
