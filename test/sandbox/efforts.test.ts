import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/io/json/json.ts'
import { smallText, thinking, useSandbox, vision } from './clients.ts'

const clients = useSandbox()
const large = 'hf:moonshotai/Kimi-K3'

interface Row {
  id: string
  reasoning_parameters?: { efforts: string[] }
}

/** The words of the reasoning before an answer. */
async function thoughts(model: string, more: object = {}): Promise<number> {
  const { status, json } = await clients().chat({ model, ...more })
  expect(status).toBe(200)
  const [choice] = json['choices'] as { message: { reasoning_content?: string } }[]
  return choice?.message.reasoning_content?.split(' ').length ?? 0
}

const efforts: [model: string, efforts: string[], refusal: string][] = [
  [thinking, ['low', 'high', 'max'], "'high', 'low', 'max'"],
  [large, ['none', 'low', 'high', 'max'], "'high', 'low', 'max', 'none'"],
  [vision, ['low', 'medium', 'xhigh'], "'low', 'medium', 'xhigh'"],
]

test.each(efforts)('%s lists its efforts, takes these, and refuses others', async (model, known, refusal) => {
  const { data } = (await (await clients().fetch('/openai/v1/models')).json()) as { data: Row[] }
  expect(data.find(({ id }) => id === model)?.reasoning_parameters?.efforts).toEqual(known)
  for (const effort of ['none', 'low', 'medium', 'high', 'xhigh', 'max', '']) {
    const { status, json } = await clients().chat({ model, reasoning_effort: effort })
    expect([effort, status]).toEqual([effort, known.includes(effort) ? 200 : 400])
    if (status !== 200) {
      const error = `Error from inference backend: 400 thinking_effort must be one of [${refusal}]`
      expect(json).toEqual({ error })
    }
  }
})

test('the effort decides how much a model thinks, or that it does not', async () => {
  expect(await thoughts(large, { reasoning_effort: 'none' })).toBe(0)
  expect(await thoughts(large, { reasoning_effort: 'low' })).toBe(0)
  expect(await thoughts(thinking, { reasoning_effort: 'low' })).toBeGreaterThan(0)
  expect(await thoughts(thinking)).toBeGreaterThan(await thoughts(thinking, { reasoning_effort: 'low' }))
  expect(await thoughts(thinking, { reasoning_effort: 'max' })).toBeGreaterThan(await thoughts(thinking))
  expect(await thoughts(smallText)).toBe(0)
  expect(await thoughts(smallText, { reasoning_effort: 'high' })).toBe(0)
  expect(await thoughts(vision)).toBeGreaterThan(0)
})

const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }

function afterCall(assistant: JsonObject): object {
  const messages = [
    { role: 'user', content: 'The weather?' },
    { role: 'assistant', content: null, tool_calls: [call], ...assistant },
    { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
  ]
  return { model: thinking, messages }
}

const missing = {
  error: 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
}

test.each([{}, { reasoning_content: '' }])(
  'a model that thinks wants its reasoning back: not %j',
  async (assistant) => {
    expect(await clients().chat(afterCall(assistant))).toEqual({ status: 400, json: missing })
    expect(await thoughts(large, { ...afterCall(assistant), model: large, reasoning_effort: 'none' })).toBe(0)
    expect(await thoughts(smallText, { ...afterCall(assistant), model: smallText })).toBe(0)
  },
)
