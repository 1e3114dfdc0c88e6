import { expect, test } from 'vitest'
import { embedding, useSandbox } from './clients.ts'

const clients = useSandbox()

async function embed(input: string | string[], more: object = {}): Promise<number[][]> {
  const answer = await clients().openai.embeddings.create({ model: embedding, input, ...more })
  return answer.data.map((item) => item.embedding)
}

function product(a: readonly number[] = [], b: readonly number[] = []): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
}

test('an answer has the shape of section 2.3', async () => {
  const answer = await clients().openai.embeddings.create({ model: embedding, input: ['a', 'b c'] })
  expect(answer).toMatchObject({ object: 'list', data: [{ object: 'embedding', index: 0 }, { index: 1 }] })
  expect(answer.usage).toEqual({ prompt_tokens: 3, total_tokens: 3 })
})

test('base64, which the official client requests, and float are the same numbers', async () => {
  const [coded] = await embed('The cat sat on the mat')
  const [plain] = await embed('The cat sat on the mat', { encoding_format: 'float' })
  expect(coded).toHaveLength(768)
  expect(coded).toEqual(Array.from(new Float32Array(plain ?? [])))
})

test('vectors have length 1 and as many dimensions as requested', async () => {
  for (const dimensions of [1, 1000]) {
    const [vector] = await embed('Every good boy deserves favor', { dimensions, encoding_format: 'float' })
    expect(vector).toHaveLength(dimensions)
    expect(product(vector, vector)).toBeCloseTo(1)
  }
})

test('a text without words has an embedding too', async () => {
  const [vector] = await embed('!?')
  expect(product(vector, vector)).toBeCloseTo(1)
})

test('texts that share words are similar', async () => {
  const [cat, cats, ship] = await embed(['The cat sat on the mat', 'Cats sit on a mat', 'A ship sails at dawn'])
  expect(product(cat, cats)).toBeGreaterThan(product(cat, ship) + 0.2)
})
