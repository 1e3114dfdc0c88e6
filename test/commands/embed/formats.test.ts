/** The output formats of embeddings, in pipes and files. */

import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changed, embed, linesOf } from '../../helpers/embed.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const texts = ['one', 'a "quoted", text\nof two lines']
const embeddings = [
  [3, 111, 1],
  [29, 97, 1],
]

/** What a successful run without notices wrote. */
async function written(argv: string[]): Promise<string> {
  const { code, out, err } = await embed([...argv, ...texts])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

const objects = embeddings.map((embedding, index) => ({ index, embedding }))
const named = objects.map(({ index, embedding }) => ({ index, text: texts[index], embedding }))

test('JSON Lines', async () => {
  expect(linesOf(await written([]))).toEqual(objects)
  expect(linesOf(await written(['--with-text']))).toEqual(named)
  expect(linesOf(await written(['--with-text', '--batch-size', '1']))).toEqual(named)
})

test('the file extension selects the format, unless a flag does', async () => {
  const folder = emptyFolder()
  const read = (name: string): Buffer => readFileSync(join(folder, name))
  await written(['-o', join(folder, 'e.TSV')])
  expect(read('e.TSV').toString()).toMatch(/^index\tv0\tv1\tv2\n/)
  mkdirSync(join(folder, 'v1.2'))
  for (const argv of [['e.ndjson'], ['v1.2/e'], ['e.csv', '--format', 'jsonl'], ['e.txt', '--format', 'jsonl']]) {
    const [name = '', ...flags] = argv
    await written(['-o', join(folder, name), ...flags])
    expect(linesOf(read(name).toString())).toEqual(objects)
  }
})

describe("--json, the service's whole answer", () => {
  const rich = () =>
    changed((reply) => ({
      id: 'embd-1',
      ...reply,
      data: reply.data.map((item) => ({ ...item, extra: [] })).reverse(),
      usage: { prompt_tokens: 4, total_tokens: 4, details: { cached: 0 } },
    }))
  const data = embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding, extra: [] }))
  const whole = { id: 'embd-1', object: 'list', data, model: 'served' }

  test('of one request is unchanged, in order', async () => {
    const { out } = await embed(['--json', ...texts], { answer: rich })
    expect(out).toBe(
      `${JSON.stringify({ ...whole, usage: { prompt_tokens: 4, total_tokens: 4, details: { cached: 0 } } })}\n`,
    )
  })

  test('of several requests is merged, with the total usage', async () => {
    const { out } = await embed(['--json', '--batch-size', '1', ...texts], { answer: rich })
    expect(JSON.parse(out)).toEqual({ ...whole, usage: { prompt_tokens: 8, total_tokens: 8, details: { cached: 0 } } })
    const answer = (request: number) => (request === 1 ? rich() : changed(({ usage: _usage, ...reply }) => reply))
    const partly = await embed(['--json', '--batch-size', '1', ...texts], { answer })
    expect(JSON.parse(partly.out)).not.toHaveProperty('usage')
  })
})

describe('base64', () => {
  const coded = (numbers: number[]): string => Buffer.from(Float32Array.from(numbers).buffer).toString('base64')
  const answer = () => changed((reply) => ({ ...reply, data: [{ index: 0, embedding: coded([1.5, -2, 0.25]) }] }))

  test('is decoded if requested, and unchanged in --json', async () => {
    const argv = ['-p', 'encoding_format=base64', 'hi']
    const { out, asked } = await embed(argv, { answer })
    expect(linesOf(out)).toEqual([{ index: 0, embedding: [1.5, -2, 0.25] }])
    expect(asked[0]?.json).toMatchObject({ encoding_format: 'base64' })
    expect(JSON.parse((await embed(['--json', ...argv], { answer })).out)).toMatchObject({
      data: [{ embedding: coded([1.5, -2, 0.25]) }],
    })
  })
})

test.each([
  [['--json'], 'e.json'],
  [[], 'e'],
])('%j is in the file %s and nowhere else', async (argv, name) => {
  const folder = emptyFolder()
  expect(await written([...argv, '-o', join(folder, name)])).toBe('')
  expect(readdirSync(folder)).toEqual([name])
  expect(readFileSync(join(folder, name), 'utf8')).toBe(await written(argv))
})

describe('--usage', () => {
  test('of several requests', async () => {
    const { err } = await embed(['-u', '--batch-size', '2', 'a', 'b', 'c'])
    expect(err).toMatch(/^syn: 6 prompt tokens · 3 texts · 2 requests · \d+\.\d\d s\n$/)
  })

  test('without counts of the service, none are made up', async () => {
    const answer = (request: number) => changed(({ usage, ...reply }) => (request === 2 ? reply : { ...reply, usage }))
    const { err } = await embed(['-u', '--batch-size', '1', 'a', 'b', 'c'], { answer })
    expect(err).toMatch(/^syn: no token counts \(the service sent none\) · 3 texts · 3 requests · /)
  })
})
