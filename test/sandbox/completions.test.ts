import { expect, test } from 'vitest'
import { collect, smallText, useSandbox } from './clients.ts'

const clients = useSandbox()

async function texts(prompt: string | string[] | number[] | number[][], more: object = {}): Promise<string[]> {
  const answer = await clients().openai.completions.create({ model: smallText, prompt, ...more, stream: false })
  expect(answer.choices.map((choice) => choice.index)).toEqual(answer.choices.map((_, index) => index))
  return answer.choices.map((choice) => choice.text)
}

test('an answer has the shape of section 2.2', async () => {
  const answer = await clients().openai.completions.create({ model: smallText, prompt: 'Once', max_tokens: 4 })
  expect(answer).toMatchObject({
    object: 'text_completion',
    choices: [{ index: 0, logprobs: null, finish_reason: 'length' }],
    usage: { prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 },
  })
})

test('a stream adds up to the whole', async () => {
  const stream = await clients().openai.completions.create({
    model: smallText,
    prompt: 'Once',
    echo: true,
    stream: true,
  })
  const chunks = await collect(stream)
  expect(chunks.map((chunk) => chunk.choices[0]?.text).join('')).toBe((await texts('Once', { echo: true }))[0])
  expect(chunks.filter((chunk) => chunk.usage)).toEqual([chunks.at(-1)])
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
})

test('token ids are decoded to their text', async () => {
  const ids = [1332634469, 139409256302, 8289, 139392019813]
  const [whole] = await texts('Once upon a time', { echo: true })
  expect(await texts(ids, { echo: true })).toEqual([whole])
  expect(await texts([ids, ids], { echo: true })).toEqual([whole, whole])
})

test('log probabilities are parallel lists, the first null with an echo', async () => {
  const answer = await clients().openai.completions.create({
    model: smallText,
    prompt: 'Once upon',
    echo: true,
    logprobs: 2,
    max_tokens: 2,
  })
  const [choice] = answer.choices
  const {
    tokens = [],
    token_logprobs: chances = [],
    top_logprobs: top = [],
    text_offset: offsets = [],
  } = choice?.logprobs ?? {}
  expect(tokens.join('')).toBe(choice?.text)
  expect([chances.length, top.length, offsets.length]).toEqual([4, 4, 4])
  expect([chances[0], top[0]]).toEqual([null, null])
  expect(Object.keys(top[1] ?? {})).toHaveLength(2)
  expect(
    offsets.map((offset) => choice?.text.slice(offset).startsWith(tokens[offsets.indexOf(offset)] ?? '?')),
  ).toEqual(offsets.map(() => true))
})
