import { expect, test } from 'vitest'
import { decodeModels } from '../../src/api/models.ts'
import { type BuilderOptions, createRequestBuilder } from '../../src/batch/requests/request-builder.ts'
import type { RowRequest } from '../../src/batch/row.ts'
import { parseTemplate } from '../../src/input/template.ts'
import type { Json, JsonObject } from '../../src/io/json/json.ts'

interface Built {
  readonly requests: readonly RowRequest[]
  readonly notices: readonly string[]
}

/** Builds and checks the requests of these records, the first of which is line 1. */
async function built(values: readonly Json[], options: Partial<BuilderOptions> = {}): Promise<Built> {
  const notices: string[] = []
  const builder = createRequestBuilder({
    format: 'jsonl',
    where: 'in.jsonl',
    baseUrl: 'https://api.example',
    idKey: 'custom_id',
    api: 'chat',
    defaults: {},
    anyModel: false,
    models: [],
    notify: (text) => void notices.push(text),
    ...options,
  })
  const requests: RowRequest[] = []
  for (const [at, value] of values.entries()) {
    const request = builder.build({ line: at + 1, raw: JSON.stringify(value), value })
    await builder.check(request)
    requests.push(request)
  }
  return { requests, notices }
}

async function bodyOf(value: Json, options?: Partial<BuilderOptions>): Promise<JsonObject> {
  const [request] = (await built([value], options)).requests
  return request?.body ?? {}
}

function user(content: string): JsonObject {
  return { role: 'user', content }
}

const beBrief = { role: 'system', content: 'Be brief' }
const model = 'syn:large:text'

const flags = { defaults: { temperature: 0.2, max_tokens: 50 }, system: 'Be brief' }

test.each<[string, Json, JsonObject]>([
  ['a text', 'Hi', { messages: [beBrief, user('Hi')] }],
  ['messages and a prompt', { messages: [user('A')], prompt: 'B' }, { messages: [beBrief, user('A'), user('B')] }],
  ['a field', { prompt: 'Hi', temperature: 1 }, { messages: [beBrief, user('Hi')], temperature: 1 }],
  ['not to stream', { prompt: 'Hi', stream: false }, { messages: [beBrief, user('Hi')], stream: false }],
  [
    'a system prompt',
    { prompt: 'Hi', system: 'Be long' },
    { messages: [{ role: 'system', content: 'Be long' }, user('Hi')] },
  ],
])('a row with %s wins over the flags', async (_what, value, fields) => {
  expect(await bodyOf(value, flags)).toEqual({ model, stream: true, temperature: 0.2, max_tokens: 50, ...fields })
})

test('few-shot messages come before the prompt, but not before messages of the row', async () => {
  const messages = [user('2 + 2'), { role: 'assistant', content: '4' }]
  expect((await bodyOf({ prompt: 'Hi' }, { messages })).messages).toEqual([...messages, user('Hi')])
  expect((await bodyOf({ messages: [user('Hi')] }, { messages })).messages).toEqual([user('Hi')])
})

test('the other API has its own fields', async () => {
  const options = { api: 'messages', ...flags } as const
  expect(await bodyOf({ prompt: 'Hi', stop_sequences: ['.'] }, options)).toEqual({
    model,
    system: 'Be brief',
    messages: [user('Hi')],
    max_tokens: 50,
    stream: true,
    temperature: 0.2,
    stop_sequences: ['.'],
  })
  const system = [{ type: 'text', text: 'Be long', cache_control: { type: 'ephemeral' } }]
  expect(await bodyOf({ prompt: 'Hi', system }, { api: 'messages', system: 'Be brief' })).toEqual({
    model,
    system,
    messages: [user('Hi')],
    max_tokens: 8192,
    stream: true,
  })
})

test('with a template, no key is a field', async () => {
  const template = parseTemplate('{{prompt}} in {{temperature}} °C')
  const { requests, notices } = await built([{ prompt: 'Tea', temperature: 90, temprature: 1 }], { template })
  expect(requests[0]?.body).toEqual({ model, messages: [user('Tea in 90 °C')], stream: true })
  expect(notices).toEqual([])
})

const openaiBody = { messages: [user('Hi')] }

function openaiLine(body: Json, others: JsonObject = {}): JsonObject {
  return { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body, ...others }
}

test.each([
  ['/v1/chat/completions', openaiBody, '/openai/v1/chat/completions', model],
  ['/v1/completions', { prompt: 'Hi' }, '/openai/v1/completions', model],
  ['/v1/embeddings', { input: ['Hi'] }, '/openai/v1/embeddings', 'hf:embed/one'],
])('a line for %s', async (url, body, path, ownModel) => {
  const { requests } = await built([openaiLine(body, { url })], { format: 'openai', embeddingModel: 'hf:embed/one' })
  const stream = path.endsWith('embeddings') ? {} : { stream: true }
  expect(requests[0]).toMatchObject({ customId: 'a', operation: { path }, hasOwnModel: false })
  expect(requests[0]?.body).toEqual({ model: ownModel, ...stream, ...body })
})

test('flags apply to batch lines where they mean the same, and a notice tells where not', async () => {
  const lines = [
    openaiLine({ ...openaiBody, temperature: 1 }),
    openaiLine({ prompt: 'Hi' }, { url: '/v1/completions' }),
    openaiLine({ input: 'Hi' }, { url: '/v1/embeddings' }),
    openaiLine({ input: 'Ho' }, { url: '/v1/embeddings' }),
  ]
  const defaults = { temperature: 0, top_p: 0.5, logprobs: true, tools: [] }
  const { requests, notices } = await built(lines, {
    format: 'openai',
    defaults,
    system: 'Be brief',
    embeddingModel: 'hf:a/b',
  })
  expect(requests.map(({ body: { model: _model, ...fields } }) => fields)).toEqual([
    { ...defaults, stream: true, temperature: 1, messages: [beBrief, user('Hi')] },
    { stream: true, temperature: 0, top_p: 0.5, prompt: 'Hi' },
    { input: 'Hi' },
    { input: 'Ho' },
  ])
  expect(notices).toEqual([
    'logprobs is not sent to /openai/v1/completions, which has no such field',
    'tools is not sent to /openai/v1/completions, which has no such field',
    'system is not sent to /openai/v1/completions, which has no such field',
    'temperature is not sent to /openai/v1/embeddings, which has no such field',
    'top_p is not sent to /openai/v1/embeddings, which has no such field',
    'logprobs is not sent to /openai/v1/embeddings, which has no such field',
    'tools is not sent to /openai/v1/embeddings, which has no such field',
    'system is not sent to /openai/v1/embeddings, which has no such field',
  ])
})

test('a line of Anthropic has the defaults of syn messages', async () => {
  const params = { model: 'hf:a/b', messages: [user('Hi')] }
  const { requests } = await built(
    [
      { custom_id: 'a', params },
      { custom_id: 'b', params: { ...params, system: 'Be long', max_tokens: 5 } },
    ],
    { format: 'anthropic', defaults: { temperature: 0.5 }, system: 'Be brief' },
  )
  expect(requests.map(({ body }) => body)).toEqual([
    { ...params, system: 'Be brief', max_tokens: 8192, stream: true, temperature: 0.5 },
    { ...params, system: 'Be long', max_tokens: 5, stream: true, temperature: 0.5 },
  ])
  expect(requests[0]?.operation.path).toBe('/anthropic/v1/messages')
})

test.each<[string, Json, string]>([
  ['no path', { custom_id: 'a', method: 'POST', body: openaiBody }, '$.url is missing; expected /v1/chat/completions'],
  ['another method', openaiLine({}, { method: 'GET' }), '$.method: "GET" is not accepted; expected "POST"'],
  ['no messages', openaiLine({ model: 'hf:a/b' }), '$.body.messages is missing'],
  ['an invalid model', openaiLine({ ...openaiBody, model: 'gpt-4o' }), '$.body.model: "gpt-4o" is not accepted'],
  ['an array', ['Hi'], '["Hi"] is not accepted; expected an object'],
  ['a body that is a text', openaiLine('Hi'), '$.body: "Hi" is not accepted; expected an object'],
  [
    'an unknown role',
    openaiLine({ messages: [{ role: 'usr', content: 'Hi' }] }),
    '$.body.messages[0].role: "usr" is not accepted; expected system, user, assistant, tool or function (did you mean user?)',
  ],
  ['an embedding without a model', openaiLine({ input: 'Hi' }, { url: '/v1/embeddings' }), '$.body.model is missing'],
  ['an id that is no text', openaiLine(openaiBody, { custom_id: [1] }), '$.custom_id: [1] is not accepted'],
])('a line with %s is refused', async (_what, line, message) => {
  const building = built([line], { format: 'openai' })
  await expect(building).rejects.toMatchObject({ code: 2, message: expect.stringContaining(message) as string })
  await expect(built([line], { format: 'openai' })).rejects.toThrow(/^in\.jsonl, line 1: /)
})

test.each<[string, Json, string]>([
  ['a number', 5, 'in.jsonl, line 1: 5 is not accepted; expected an object or a string'],
  ['a typo', { promt: 'a' }, 'in.jsonl, line 1: no "prompt" or "messages" (did you mean prompt?)'],
  ['no messages', { messages: [] }, 'in.jsonl, line 1: $.messages: [] is not accepted; expected at least one message'],
  ['an empty prompt', { prompt: ' \n' }, 'in.jsonl, line 1: the prompt is empty'],
  [
    'a prompt that is a list',
    { prompt: ['a'] },
    'in.jsonl, line 1: $.prompt: ["a"] is not accepted; expected a string',
  ],
  ['a text as messages', { messages: 'a' }, 'in.jsonl, line 1: $.messages: "a" is not accepted; expected an array'],
  [
    'a wrong system prompt',
    { prompt: 'a', system: 1 },
    'in.jsonl, line 1: $.system: 1 is not accepted; expected a string',
  ],
  [
    'a wrong message',
    { messages: [{ role: 'user' }] },
    'in.jsonl, line 1: $.messages[0].content is missing; it is required',
  ],
  [
    'a wrong field',
    { prompt: 'a', n: 0 },
    'in.jsonl, line 1: $.n: 0 is not accepted; expected a whole number, at least 1',
  ],
])('a row with %s is refused', async (_what, value, message) => {
  await expect(built([value])).rejects.toMatchObject({ code: 2, message })
})

test('any name of a model is accepted where the service has others', async () => {
  expect(await bodyOf({ prompt: 'a', model: 'gpt-4o' }, { anyModel: true })).toMatchObject({ model: 'gpt-4o' })
  const line = openaiLine({ ...openaiBody, model: 'gpt-4o' })
  expect(await bodyOf(line, { format: 'openai', anyModel: true })).toMatchObject({ model: 'gpt-4o' })
})

test('a notice comes once for each unknown field', async () => {
  const rows = [
    { prompt: 'a', temprature: 1, title: 'x' },
    { prompt: 'b', temprature: 1, stop_sequences: ['.'] },
  ]
  expect((await built(rows)).notices).toEqual([
    'in.jsonl, line 1: unknown field "temprature" (did you mean temperature?); it is not sent',
    'in.jsonl, line 2: unknown field "stop_sequences"; it is not sent',
  ])
  const lines = rows.map((_row, at) => openaiLine({ ...openaiBody, temprature: at, x: 1 }))
  const { requests, notices } = await built(lines, { format: 'openai' })
  expect(notices).toEqual([
    'in.jsonl, line 1: unknown field "temprature" (did you mean temperature?); sending it anyway',
    'in.jsonl, line 1: unknown field "x"; sending it anyway',
  ])
  expect(requests[1]?.body).toMatchObject({ temprature: 1, x: 1 })
})

test('an image goes to the model that the list says, and an answer belongs to its row with any list', async () => {
  const image = { type: 'image_url', image_url: { url: 'https://x.example/a.png' } }
  const row = { messages: [{ role: 'user', content: [image] }] }
  const models = decodeModels({ data: [{ id: 'syn:large:text', input_modalities: ['text', 'image'] }] })
  const [[listed], [unlisted]] = [(await built([row], { models })).requests, (await built([row])).requests]
  expect([listed?.body.model, unlisted?.body.model]).toEqual(['syn:large:text', 'syn:large:vision'])
  expect(listed?.hash).toBe(unlisted?.hash)
})

test('a table needs a template, and batch lines take none', () => {
  const options = {
    where: 'in.csv',
    baseUrl: 'https://api.example',
    idKey: 'custom_id',
    api: 'chat',
    defaults: {},
    anyModel: false,
    models: [],
    notify: () => undefined,
  } as const
  expect(() => createRequestBuilder({ ...options, format: 'csv' })).toThrow(
    'in.csv: a table needs a template for the prompts',
  )
  const template = parseTemplate('{{.}}')
  expect(() => createRequestBuilder({ ...options, format: 'openai', template })).toThrow(
    '--template and --input-format openai cannot be combined',
  )
})

test.each<[Json, string]>([
  [{ prompt: 'a', custom_id: 'x' }, 'x'],
  [{ prompt: 'a', custom_id: 12 }, '12'],
  [{ prompt: 'a', custom_id: '' }, 'line-1'],
  [{ prompt: 'a' }, 'line-1'],
])('the id of %j is %s', async (value, id) => {
  expect((await built([value])).requests[0]?.customId).toBe(id)
})
