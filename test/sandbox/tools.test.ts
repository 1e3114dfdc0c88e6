import { Ajv } from 'ajv'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import { expect, test } from 'vitest'
import { smallText, useSandbox } from './clients.ts'

const clients = useSandbox()

const parameters = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 2 }, unit: { enum: ['celsius', 'fahrenheit'] } },
  required: ['city', 'unit'],
  additionalProperties: false,
}
const weather: ChatCompletionTool = {
  type: 'function',
  function: { name: 'get_weather', description: 'Current weather of a city', parameters },
}
const mail: ChatCompletionTool = { type: 'function', function: { name: 'sendMail', parameters: { type: 'object' } } }
const question: ChatCompletionMessageParam = { role: 'user', content: 'How is the weather in Lisbon, in fahrenheit?' }

test('a tool that fits is called, and its result is used', async () => {
  const first = await clients().openai.chat.completions.create({
    model: smallText,
    messages: [question],
    tools: [mail, weather],
  })
  const message = first.choices[0]?.message
  expect(first.choices[0]?.finish_reason).toBe('tool_calls')
  expect(message?.content).toBeNull()
  const [call] = message?.tool_calls ?? []
  if (!message || call?.type !== 'function') throw new Error('no call')
  expect(call.function.name).toBe('get_weather')
  const input = JSON.parse(call.function.arguments) as unknown
  expect(new Ajv().validate(parameters, input)).toBe(true)
  // Nothing of the question.
  expect(input).toEqual({ city: 'sandbox', unit: 'celsius' })

  const result: ChatCompletionMessageParam = { role: 'tool', tool_call_id: call.id, content: '{"degrees":77}' }
  const second = await clients().openai.chat.completions.create({
    model: smallText,
    messages: [question, message, result],
    tools: [mail, weather],
  })
  expect(second.choices[0]).toMatchObject({ finish_reason: 'stop' })
  expect(second.choices[0]?.message.content).toMatch(/get_weather.*"degrees":77/s)
})

test('a streamed call adds up to the whole one', async () => {
  const request = { model: smallText, messages: [question], tools: [weather] }
  const whole = await clients().openai.chat.completions.create(request)
  const streamed = await clients().openai.chat.completions.stream(request).finalChatCompletion()
  expect(streamed.choices[0]?.message.tool_calls).toMatchObject(whole.choices[0]?.message.tool_calls ?? [{}])
  expect(streamed.choices[0]?.finish_reason).toBe('tool_calls')
})

test('deprecated functions get replies in their own format', async () => {
  const request = { model: smallText, messages: [question], functions: [{ name: 'get_weather', parameters }] }
  const whole = await clients().openai.chat.completions.create(request)
  expect(whole.choices[0]).toMatchObject({
    finish_reason: 'function_call',
    message: { content: null, function_call: { name: 'get_weather' } },
  })
  const streamed = await clients().openai.chat.completions.stream(request).finalChatCompletion()
  expect(streamed.choices[0]?.message.function_call).toEqual(whole.choices[0]?.message.function_call)
})

const cases: [why: string, more: object, names: string[]][] = [
  ['nothing fits', { messages: [{ role: 'user', content: 'Sing' }] }, []],
  ['the name is written otherwise', { messages: [{ role: 'user', content: 'Use send_mail' }] }, ['sendMail']],
  ['one is forced', { tool_choice: { type: 'function', function: { name: 'sendMail' } } }, ['sendMail']],
  [
    'one at a time',
    { messages: [{ role: 'user', content: 'Send mail about the weather' }], parallel_tool_calls: false },
    ['sendMail'],
  ],
]

test.each(cases)('%s', async (_why, more, names) => {
  const answer = await clients().openai.chat.completions.create({
    model: smallText,
    messages: [question],
    tools: [mail, weather],
    ...more,
    stream: false,
  })
  const calls = answer.choices[0]?.message.tool_calls ?? []
  expect(calls.map((call) => (call.type === 'function' ? call.function.name : ''))).toEqual(names)
})
