/** `--fallback=MODEL`: which models are asked after which failure, the notices, the record and the cost. */

import { describe, expect, test } from 'vitest'
import { end } from '../helpers/chat-chunks.ts'
import { leapingNow } from '../helpers/clock.ts'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { type Answer, chatAnswer, chatEvents, events, json, startService, type Service } from '../helpers/service.ts'

const price = (dollars: string): object => ({ pricing: { prompt: dollars, completion: dollars } })
const listed = {
  data: [
    { id: 'hf:a/one', ...price('$1') },
    { id: 'hf:b/two', ...price('$0.01') },
    { id: 'hf:c/three', ...price('$0.1') },
    { id: 'syn:large:text', hugging_face_id: 'b/two', ...price('$0.01') },
  ],
}
const left = { subscription: { limit: 500, requests: 1, renewsAt: '' } }
const usedUp = { subscription: { limit: 500, requests: 500, renewsAt: '' } }

/** @param answers By model; others answer. @param quota The reply to a request for the quota. */
function serve(answers: Readonly<Record<string, Answer>>, quota: object = left): Promise<Service> {
  return startService((asked, response) => {
    const { model = '' } = (asked.json ?? {}) as { model?: string }
    if (asked.path.endsWith('/quotas')) return json(quota)(asked, response)
    if (asked.method === 'GET') return json(listed)(asked, response)
    return (answers[model] ?? events(chatAnswer(['Hello'])))(asked, response)
  })
}

function failing(status: number, words = 'busy'): Answer {
  return json({ error: { message: words } }, status)
}

function modelsAsked({ asked }: Service): string[] {
  const last = (model: unknown): string => String(model).replace(/^.*[/]/, '')
  return asked
    .filter(({ method }) => method === 'POST')
    .map(({ json: body }) => last((body as { model: string }).model))
}

function ask(service: Service, line: string, home = emptyFolder()): Promise<Outcome> {
  return runSyn(['chat', ...line.split(' '), 'hi'], { env: { ...service.env, HOME: home }, now: leapingNow() })
}

const two = '--fallback=hf:b/two'
const both = `${two} --fallback=hf:c/three`

describe('which models are asked', () => {
  const gone = failing(404, 'The model is gone')
  test.each([
    [429, '--retries 0', both, ['one', 'two'], '$0.05'],
    [503, '--retries 2', both, ['one', 'one', 'one', 'two'], '$0.05'],
    [503, '--retries 0', '--fallback', ['one', 'syn:large:text'], '$0.05'],
    [503, '--retries 0', `--fallback=hf:a/one ${two} ${both}`, ['one', 'two'], '$0.05'],
    [404, '--retries 1', both, ['one', 'two'], '$0.05'],
  ])('after %d with %s and %s', async (status, retries, fallback, models, cost) => {
    await using service = await serve({ 'hf:a/one': status === 404 ? gone : failing(status) })
    const { code, out, err } = await ask(service, `-u -m hf:a/one ${retries} ${fallback}`)
    expect({ code, out, models: modelsAsked(service) }).toEqual({ code: 0, out: 'Hello\n', models })
    const next = models.at(-1) ?? ''
    expect(err.match(/using .*/g)).toEqual([
      `using ${/:/.test(next) ? next : `hf:${next === 'two' ? 'b' : 'c'}/${next}`} instead of hf:a/one`,
    ])
    expect(err).toContain(` · ${cost}`)
  })

  test('each once, in order; the error is that of the last', async () => {
    const answers = { 'hf:a/one': gone, 'hf:b/two': failing(503), 'hf:c/three': failing(529, 'full') }
    await using service = await serve(answers)
    const { code, err } = await ask(service, `--retries 1 -m hf:a/one ${both} ${two} --fallback=hf:a/one`)
    expect({ code, models: modelsAsked(service) }).toEqual({ code: 6, models: ['one', 'two', 'two', 'three', 'three'] })
    expect(err.split('\n').filter((line) => !line.includes('retrying'))).toEqual([
      'syn: The model is gone (404 Not Found); using hf:b/two instead of hf:a/one',
      'syn: busy (503 Service Unavailable); using hf:c/three instead of hf:b/two',
      expect.stringMatching(/^syn: full \(529/) as string,
      '',
    ])
  })

  test.each([400, 401, 500, 504])('none other after %d', async (status) => {
    await using service = await serve({ 'hf:a/one': failing(status) })
    const { code } = await ask(service, `--retries 0 -m hf:a/one ${both}`)
    expect(code).not.toBe(0)
    expect(modelsAsked(service)).toEqual(['one'])
  })

  test.each([
    ['the quota, as its record says', failing(429, 'slow down'), usedUp],
    ['the quota, in words', failing(429, 'insufficient_quota'), left],
    ['the credit', failing(402), left],
  ])('none other if %s is used up', async (_what, answer, quota) => {
    await using service = await serve({ 'hf:a/one': answer }, quota)
    const { code, err } = await ask(service, `--retries 0 -m hf:a/one ${both}`)
    expect({ code, models: modelsAsked(service) }).toEqual({ code: 5, models: ['one'] })
    expect(err).not.toContain('using')
  })

  const overload = `data: ${JSON.stringify({ error: { message: 'overloaded', code: 503 } })}\n\n`
  test.each([
    ['text', { content: 'Hel' }, 7],
    ['reasoning', { reasoning_content: 'Hmm' }, 6],
  ])('none other after %s was delivered', async (_what, part, code) => {
    const begun = `data: ${JSON.stringify({ choices: [{ index: 0, delta: part }] })}\n\n`
    await using service = await serve({ 'hf:a/one': events(begun + overload) })
    expect(await ask(service, `--retries 0 -m hf:a/one ${both}`)).toMatchObject({ code })
    expect(modelsAsked(service)).toEqual(['one'])
  })
})

test('an overload that a stream reports before any of the answer counts as well', async () => {
  const overload = events(`data: ${JSON.stringify({ error: { message: 'overloaded', code: 529 } })}\n\n`)
  await using service = await serve({ 'hf:a/one': overload })
  expect(await ask(service, `--retries 0 -m hf:a/one ${both}`)).toMatchObject({ code: 0, out: 'Hello\n' })
  expect(modelsAsked(service)).toEqual(['one', 'two'])
})

test('the setting is the flag without a model', async () => {
  const home = emptyFolder()
  await using service = await serve({ 'hf:a/one': failing(503) })
  const env = { ...service.env, HOME: home }
  expect((await runSyn(['config', 'set', 'fallback', 'true'], { env })).code).toBe(0)
  expect((await runSyn(['config', 'set', 'fallback', 'hf:b/two'], { env })).code).toBe(2)
  expect((await ask(service, '--retries 0 -m hf:a/one', home)).code).toBe(0)
  expect((await ask(service, `--retries 0 -m hf:a/one ${two}`, home)).code).toBe(0)
  expect((await ask(service, '--retries 0 -m hf:a/one --no-fallback', home)).code).toBe(6)
  expect(modelsAsked(service)).toEqual(['one', 'syn:large:text', 'one', 'two', 'one'])
})

test('a recorded conversation names the models, and goes on with the one that answered', async () => {
  const home = emptyFolder()
  await using service = await serve({ 'hf:a/one': failing(503), 'hf:b/two': failing(502) })
  expect((await ask(service, `--save --retries 0 -m hf:a/one ${both}`, home)).code).toBe(0)
  const env = { ...service.env, HOME: home }
  const shown = (await runSyn(['sessions', 'show', 'last'], { env })).out
  const { out } = await runSyn(['sessions', 'show', 'last', '--all', '--json'], { env })
  for (const text of [shown, out]) expect(text.match(/hf:\w\/\w+/g)).toEqual(['hf:c/three'])
  expect((await ask(service, '-c', home)).code).toBe(0)
  expect(modelsAsked(service)).toEqual(['one', 'two', 'three', 'three'])
})

test('the cost of an answer with tools is that of each model', async () => {
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'search', arguments: '{"query":"x"}' } }
  const usage = { prompt_tokens: 3, completion_tokens: 2 }
  let asked = 0
  const calling = events(
    chatEvents({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }, { ...end('tool_calls'), usage }),
  )
  const once: Answer = (one, response) => (asked++ === 0 ? calling : failing(503))(one, response)
  await using service = await serve({ 'hf:a/one': once })
  const { code, err } = await ask(service, `-u --allow search --retries 0 -m hf:a/one ${two}`)
  expect({ code, models: modelsAsked(service).filter((one) => one !== 'undefined') }).toEqual({
    code: 0,
    models: ['one', 'one', 'two'],
  })
  expect(err).toContain('$5.05')
})

test('a service without aliases is asked for none', async () => {
  const home = emptyFolder()
  await using service = await startService((asked, response) =>
    (asked.method === 'GET' ? json({ data: [{ id: 'gpt-5' }] }) : failing(503))(asked, response),
  )
  expect((await runSyn(['models'], { env: { ...service.env, HOME: home } })).code).toBe(0)
  expect((await ask(service, '-m hf:a/one --fallback --retries 0', home)).code).toBe(6)
  expect(modelsAsked(service)).toEqual(['one'])
})

describe('how it is typed', () => {
  test.each(['chat --fallback hf:b/two hi', 'complete --fallback hf:b/two', 'batch --fallback hf:b/two in.jsonl'])(
    'syn %s is refused',
    async (line) => {
      await using service = await serve({})
      const err = 'syn: --fallback takes a model after =\nhint: use --fallback=hf:b/two\n'
      expect(await runSyn(line.split(' '), { env: service.env, stdin: 'x\n' })).toEqual({ code: 2, out: '', err })
      expect(service.asked).toEqual([])
    },
  )

  test.each([
    ['--fallback=b/two', '"b/two" is not accepted', 'did you mean hf:b/two?'],
    ['--fallback=hf:b/two --fallback=', '"" is not accepted', 'a name that starts with hf:, or an alias'],
  ])('%s', async (flags, found, expected) => {
    const { code, err } = await runSyn(['chat', ...flags.split(' '), 'hi'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`syn: --fallback: ${found}`) as string })
    expect(err).toContain(expected)
  })

  test.each([
    [`${two} --fallback`, 'syn:large:text'],
    [`--fallback=false ${two}`, 'two'],
    [`${two} --no-fallback`, undefined],
    ['--fallback --', 'syn:large:text'],
  ])('%s asks %s', async (flags, next) => {
    await using service = await serve({ 'hf:a/one': failing(503) })
    const { code } = await ask(service, `--retries 0 -m hf:a/one ${flags}`)
    expect({ code, models: modelsAsked(service) }).toEqual({
      code: next === undefined ? 6 : 0,
      models: ['one', ...(next === undefined ? [] : [next])],
    })
  })
})
