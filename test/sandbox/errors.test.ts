import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { Clients, embedding, smallText, useSandbox } from './clients.ts'

const clients = useSandbox()
const rotated = 'hf:zai-org/GLM-4.6'
const messages = [{ role: 'user' as const, content: 'hi' }]
const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }

type Case = [why: string, body: object, status: number, message: RegExp]

const chatCases: Case[] = [
  ['a rotated model', { model: rotated }, 404, /rotated out/],
  ['an unknown alias', { model: 'syn:huge:text' }, 404, /no alias syn:huge:text/],
  ['no prefix', { model: 'gpt-4' }, 400, /should start with an hf: prefix/],
  ['an empty conversation', { messages: [] }, 400, /\$\.messages/],
  [
    'a tool that is not there',
    { tools: [], tool_choice: { type: 'function', function: { name: 'x' } } },
    400,
    /tool_choice/,
  ],
  ['a wrong role', { messages: [{ role: 'robot', content: '' }] }, 400, /\$\.messages\[0\]\.role/],
  ['n beyond reason', { n: 1000 }, 400, /at most 128/],
  ['an image a text model', { messages: [{ role: 'user', content: [image] }] }, 400, /does not accept images/],
  [
    'too long a prompt',
    { messages: [{ role: 'user', content: 'word '.repeat(200_000) }] },
    400,
    /is longer than the model's context length/,
  ],
]

test.each(chatCases)('chat: %s', async (_why, more, status, message) => {
  const body = { model: smallText, messages, ...more }
  const response = await clients().fetch('/openai/v1/chat/completions', { body })
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({ error: expect.stringMatching(message) as string })
})

const otherCases: [path: string, ...Case][] = [
  ['/openai/v1/completions', 'negative tokens', { prompt: [1, -2] }, 400, /\$\.prompt: -2/],
  ['/openai/v1/embeddings', 'a text model', { model: 'hf:zai-org/GLM-4.7', input: 'a' }, 400, /an embedding model/],
  [
    '/openai/v1/embeddings',
    'too long',
    { model: embedding, input: ['a', 'word '.repeat(9000)] },
    400,
    /input\[1\].*8192/,
  ],
  ['/search', 'no query', {}, 400, /\$\.query/],
  ['/nowhere', 'an unknown route', {}, 404, /API route not found/],
]

test.each(otherCases)('%s: %s', async (path, _why, more, status, message) => {
  const response = await clients().fetch(path, { body: { model: smallText, prompt: 'a', ...more } })
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({ error: expect.stringMatching(message) as string })
})

test.each(['{', '[]'])('the body %s', async (body) => {
  expect((await clients().fetch('/openai/v1/chat/completions', { body })).status).toBe(400)
})

test('a body above 10 MiB is cut', async () => {
  const response = await clients().fetch('/openai/v1/embeddings', { body: `"${'x'.repeat(10 * 1024 * 1024)}"` })
  const error = expect.stringContaining('Could not parse request as valid JSON. Unterminated string') as string
  expect([response.status, await response.json()]).toEqual([400, { error }])
})

test.each(['syn:large:text', 'syn:large:vision'])('%s cannot count tokens', async (model) => {
  const response = await clients().fetch('/anthropic/v1/messages/count_tokens', { body: { model, messages } })
  expect(response.status).toBe(500)
})

test('the official clients know each error by its class', async () => {
  const { openai, anthropic, sandbox } = clients()
  const stranger = new Clients(sandbox, 'wrong')
  const chat = (client: OpenAI, model: string, more = {}): Promise<unknown> =>
    client.chat.completions.create({ model, messages, ...more, stream: false })
  const message = (client: Anthropic, model: string, more = {}): Promise<unknown> =>
    client.messages.create({ model, messages, max_tokens: 9, ...more, stream: false })
  await expect(chat(stranger.openai, smallText)).rejects.toThrow(OpenAI.AuthenticationError)
  await expect(chat(openai, rotated)).rejects.toThrow(OpenAI.NotFoundError)
  await expect(chat(openai, smallText, { top_p: 2 })).rejects.toThrow(OpenAI.BadRequestError)
  await expect(message(stranger.anthropic, smallText)).rejects.toThrow(Anthropic.AuthenticationError)
  await expect(message(anthropic, rotated)).rejects.toThrow(Anthropic.NotFoundError)
  await expect(message(anthropic, smallText, { max_tokens: -1 })).rejects.toThrow(Anthropic.BadRequestError)
})

test('errors of the messages dialect have its format', async () => {
  const response = await clients().fetch('/anthropic/v1/messages', { body: { model: smallText, messages } })
  expect(await response.json()).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', message: '$.max_tokens is missing; it is required' },
    request_id: response.headers.get('request-id'),
  })
})
