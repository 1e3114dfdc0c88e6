/** `syn embed` and `syn similar` against a server that is not our own idea of the API: aimock's OpenAI endpoint. */

import { LLMock, generateDeterministicEmbedding } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linesOf } from '../../helpers/embed.ts'
import { runSyn, type Outcome } from '../../helpers/run-syn.ts'

const mock = new LLMock({ port: 0 })
mock.onEmbedding('fixed', { embedding: [0.25, -0.5] })
mock.onEmbedding('refuse', { error: { message: 'No such thing', type: 'invalid_request_error' }, status: 400 })
mock.onEmbedding('busy', { error: { message: 'Slow down' }, status: 429, retryAfter: 7 })

beforeAll(async () => void (await mock.start()))
afterAll(() => mock.stop())

function ask(...argv: string[]): Promise<Outcome> {
  const env = { SYN_BASE_URL: mock.url, SYN_API_KEY: 'aimock-takes-any' }
  return runSyn(['embed', '-m', 'hf:any/model', '--retries', '0', ...argv], { env })
}

test('one text and several', async () => {
  const { code, out, err } = await ask('--batch-size', '2', '--dimensions', '5', 'a', 'b', 'c')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(linesOf(out)).toEqual(
    ['a', 'b', 'c'].map((text, index) => ({ index, embedding: generateDeterministicEmbedding(text, 5) })),
  )
  expect(linesOf((await ask('fixed')).out)).toEqual([{ index: 0, embedding: [0.25, -0.5] }])
})

test.each<[text: string, code: number, message: string]>([
  ['refuse', 1, 'syn: No such thing (400 Bad Request)\n'],
  ['busy', 5, 'syn: Slow down (429 Too Many Requests)\nhint: the service asks to retry after 7.0 s\n'],
])('a failure: %s is exit %i', async (text, code, message) => {
  expect(await ask(text)).toEqual({ code, out: '', err: message })
})

test('a search: the similarity of its embeddings, without the text that it refuses', async () => {
  const texts = ['one', 'two', 'refuse', 'three']
  const env = { SYN_BASE_URL: mock.url, SYN_API_KEY: 'aimock-takes-any' }
  const argv = ['similar', '-m', 'hf:any/model', '--dimensions', '8', '--lines', 'two']
  const { code, out, err } = await runSyn(argv, { env, stdin: texts.join('\n') })
  expect({ code, err }).toEqual({
    code: 0,
    err: 'syn: embedding 4 of 4 parts (first time only)\nsyn: left out -:3: No such thing (400 Bad Request)\n',
  })
  const question = generateDeterministicEmbedding('two', 8)
  const cosine = (text: string): number => {
    const other = generateDeterministicEmbedding(text, 8)
    const product = other.reduce((sum, value, at) => sum + value * (question[at] ?? 0), 0)
    return product / Math.hypot(...other) / Math.hypot(...question)
  }
  const rows = ['one', 'two', 'three'].map(
    (text) => `${cosine(text).toFixed(4)}\t-:${texts.indexOf(text) + 1}\t${text}`,
  )
  expect(out.trimEnd().split('\n').toSorted()).toEqual(rows.toSorted())
  expect(out).toMatch(/^1\.0000\t-:2\ttwo\n/)
})
