import { expect, test } from 'vitest'
import { smallText, thinking, useSandbox } from './clients.ts'

const clients = useSandbox()
const counting = [{ role: 'user' as const, content: 'Count to 20' }]

type Extra = Record<string, unknown>

async function choice(more: Extra, model = smallText): Promise<[text: string | null, finish: string]> {
  const answer = await clients().openai.chat.completions.create({ model, messages: counting, ...more, stream: false })
  const [{ message, finish_reason: finish } = { message: { content: null }, finish_reason: '' }] = answer.choices
  return [message.content, finish]
}

const cases: [why: string, more: Extra, text: string | RegExp, finish: string][] = [
  ['cut before the first of several', { stop: ['9', '3'] }, '1  \n2  \n', 'stop'],
  ['whole when the stop text does not occur', { stop: 'zebra' }, /sandbox.*\*$/s, 'stop'],
  ['cut at max_tokens', { max_tokens: 3 }, '1  \n2', 'length'],
  ['stopped within the limit', { max_tokens: 4, stop: '2' }, '1  \n', 'stop'],
]

test.each(cases)('%s', async (_why, more, text, finish) => {
  const [content, reason] = await choice(more)
  if (text instanceof RegExp) expect(content).toMatch(text)
  else expect(content).toBe(text)
  expect(reason).toBe(finish)
})

test('a budget that reasoning uses up leaves an empty answer', async () => {
  expect(await choice({ max_completion_tokens: 5 }, thinking)).toEqual(['', 'length'])
  expect(await choice({ max_tokens: 3 }, thinking)).toEqual(['1  \n2', 'length'])
})

test('log probabilities come for each token, with alternatives', async () => {
  const answer = await clients().openai.chat.completions.create({
    model: smallText,
    messages: counting,
    max_tokens: 4,
    logprobs: true,
    top_logprobs: 3,
  })
  const entries = answer.choices[0]?.logprobs?.content ?? []
  expect(entries.map((entry) => entry.token).join('')).toBe(answer.choices[0]?.message.content)
  for (const { token, logprob, bytes, top_logprobs: top } of entries) {
    expect(logprob).toBeLessThan(0)
    expect(Buffer.from(bytes ?? []).toString()).toBe(token)
    expect(top).toHaveLength(3)
    expect(top.reduce((sum, other) => sum + Math.exp(other.logprob), 0)).toBeLessThan(1)
  }
})
