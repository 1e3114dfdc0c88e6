import { expect, test } from 'vitest'
import { collect, smallText, thinking, useSandbox, vision } from './clients.ts'

const clients = useSandbox()
const hello = [{ role: 'user' as const, content: 'Say hello in three languages' }]

test('a whole answer has the shape of section 2.1', async () => {
  const answer = await clients().openai.chat.completions.create({ model: smallText, messages: hello })
  expect(answer).toMatchObject({ object: 'chat.completion', model: 'accounts/sandbox/models/glm-4.7-flash' })
  const [choice] = answer.choices
  expect(choice).toMatchObject({ index: 0, finish_reason: 'stop', message: { role: 'assistant' } })
  expect(choice?.message.content?.match(/^- \*\*\w+:\*\*/gm)).toHaveLength(3)
  const { prompt_tokens: prompt = 0, completion_tokens: completion = 0, total_tokens: total } = answer.usage ?? {}
  expect(prompt).toBeGreaterThan(0)
  expect(total).toBe(prompt + completion)
})

test('a stream adds up to the whole answer', async () => {
  const request = { model: thinking, messages: hello }
  const whole = await clients().openai.chat.completions.create(request)
  const streamed = await clients().openai.chat.completions.stream(request).finalChatCompletion()
  expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content)
  expect(streamed.usage).toMatchObject({ ...whole.usage })
})

test('the chunks of a stream come in the order of section 4', async () => {
  const stream = await clients().openai.chat.completions.create({ model: smallText, messages: hello, stream: true })
  const chunks = await collect(stream)
  const deltas = chunks.map((chunk) => chunk.choices[0]?.delta)
  expect(deltas[0]).toEqual({ role: 'assistant' })
  expect(deltas.slice(1, -1).every((delta) => typeof delta?.content === 'string')).toBe(true)
  expect(deltas.at(-1)).toEqual({})
  expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toEqual([...deltas.slice(1).map(() => null), 'stop'])
  expect(chunks.filter((chunk) => chunk.usage)).toEqual([chunks.at(-1)])
  expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1)
})

test('the same request gets the same answer', async () => {
  const first = await clients().ask('Tell me about tides')
  expect(await clients().ask('Tell me about tides')).toBe(first)
  expect(await clients().ask('Tell me about tides', { seed: 7 })).not.toBe(first)
})

test('reasoning comes before the answer, and is counted', async () => {
  const stream = await clients().openai.chat.completions.create({ model: thinking, messages: hello, stream: true })
  const kinds: string[] = []
  let details: number | undefined
  for await (const chunk of stream) {
    const key = Object.keys(chunk.choices[0]?.delta ?? {})[0]
    if (key !== undefined && kinds.at(-1) !== key) kinds.push(key)
    details = chunk.usage?.completion_tokens_details?.reasoning_tokens
  }
  expect(kinds).toEqual(['role', 'reasoning_content', 'content'])
  expect(details).toBeGreaterThan(0)
})

test('images are described by format and size, or by URL', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAADklEQVR4nGNgYGBgAAYAAAUAAeImBZsAAAAASUVORK5CYII='
  const answer = await clients().openai.chat.completions.create({
    model: vision,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.jpg' } },
        ],
      },
    ],
  })
  const text = answer.choices[0]?.message.content
  expect(text).toContain('a PNG image of 71 bytes')
  expect(text).toContain('https://example.com/cat.jpg')
})
