import type { MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages'
import { expect, test } from 'vitest'
import { smallText, thinking, useSandbox } from './clients.ts'

const clients = useSandbox()
const hello: MessageParam[] = [{ role: 'user', content: 'Say hello in two languages' }]

test('a whole message has the shape of section 2.4', async () => {
  const message = await clients().anthropic.messages.create({ model: smallText, max_tokens: 500, messages: hello })
  expect(message).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'accounts/sandbox/models/glm-4.7-flash',
    content: [{ type: 'text' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: expect.any(Number) as number, output_tokens: expect.any(Number) as number },
  })
})

test('a stream adds up to the whole message, with thinking', async () => {
  const request = { model: thinking, max_tokens: 500, messages: hello }
  const whole = await clients().anthropic.messages.create(request)
  const streamed = await clients().anthropic.messages.stream(request).finalMessage()
  expect(whole.content.map((block) => block.type)).toEqual(['thinking', 'text'])
  expect(streamed.content).toMatchObject(whole.content)
  expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens)
  expect(streamed.stop_reason).toBe('end_turn')
})

test('on the wire every event is named after its type', async () => {
  const body = { model: smallText, max_tokens: 9, messages: hello, stream: true }
  const text = await (await clients().fetch('/anthropic/v1/messages', { body })).text()
  const events = text.trimEnd().split('\n\n')
  for (const event of events) expect(event).toMatch(/^event: (\w+)\ndata: \{"type":"\1"/)
  expect(events.some((event) => event.startsWith('event: ping\n'))).toBe(true)
})

const tool: Tool = {
  name: 'get_weather',
  description: 'Weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

test('a tool is used, streamed and not, and its result answered', async () => {
  const question: MessageParam = { role: 'user', content: 'Weather in Lisbon?' }
  const request = { model: smallText, max_tokens: 500, messages: [question], tools: [tool] }
  const whole = await clients().anthropic.messages.create(request)
  const streamed = await clients().anthropic.messages.stream(request).finalMessage()
  expect(whole).toMatchObject({ stop_reason: 'tool_use', content: [{ type: 'tool_use', input: { city: 'sandbox' } }] })
  expect(streamed.content).toMatchObject(whole.content)
  const [used] = whole.content
  if (used?.type !== 'tool_use') throw new Error('no tool use')
  const answer = await clients().anthropic.messages.create({
    ...request,
    messages: [
      question,
      { role: 'assistant', content: whole.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: used.id, content: 'Sunny' }] },
    ],
  })
  expect(answer.content[0]).toMatchObject({
    type: 'text',
    text: expect.stringMatching(/get_weather.*Sunny/s) as string,
  })
})

test.each<[more: object, reason: string, sequence: string | null]>([
  [{ tools: [tool], tool_choice: { type: 'any' } }, 'tool_use', null],
  [{ stop_sequences: ['languages'] }, 'stop_sequence', 'languages'],
])('%j ends with %s', async (more, reason, sequence) => {
  const request = { model: smallText, max_tokens: 500, messages: hello, ...more, stream: false as const }
  const message = await clients().anthropic.messages.create(request)
  expect([message.stop_reason, message.stop_sequence]).toEqual([reason, sequence])
})

test('token counts equal those in usage', async () => {
  const messages: MessageParam[] = [{ role: 'user', content: 'Not sent before' }]
  const { input_tokens: counted } = await clients().anthropic.messages.countTokens({ model: smallText, messages })
  const message = await clients().anthropic.messages.create({ model: smallText, max_tokens: 1, messages })
  expect(counted).toBe(message.usage.input_tokens)
})
