import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openInput, type SelectionOptions } from '../../src/batch/input/input.ts'
import { inputIo, recordsOf } from '../helpers/batch-input.ts'
import { samples } from '../helpers/samples.ts'

async function selected(lines: readonly string[], options: SelectionOptions): Promise<string[]> {
  const records = await recordsOf(lines.join('\n'), 'in.txt', { format: 'lines', ...options })
  return records.map(({ raw }) => raw)
}

const word = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', 'c', 'é') })
const document = fc.array(word, { minLength: 1, maxLength: 40 })
const shards = fc.integer({ min: 1, max: 9 })

test('shards have every line exactly once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(document, shards, async (lines, count) => {
      const parts = await Promise.all(
        Array.from({ length: count }, (_, at) => selected(lines, { shard: { index: at + 1, count } })),
      )
      expect(parts.flat().sort()).toEqual([...lines].sort())
      for (const part of parts) {
        // Equal lines are in one shard.
        expect(part).toEqual(lines.filter((line) => part.includes(line)))
      }
    }),
    samples(30),
  )
})

test('an inserted line moves no other line to another shard', async () => {
  await fc.assert(
    fc.asyncProperty(document, word, fc.nat(), shards, async (lines, line, at, count) => {
      const shard = { index: 1, count }
      const before = await selected(lines, { shard })
      const after = await selected(lines.toSpliced(at % (lines.length + 1), 0, line), { shard })
      expect(after.filter((one) => one !== line)).toEqual(before.filter((one) => one !== line))
    }),
    samples(30),
  )
})

test('a sample has as many rows as wanted, in order', async () => {
  await fc.assert(
    fc.asyncProperty(document, fc.integer({ min: 1, max: 50 }), fc.nat(5), async (lines, sample, seed) => {
      const drawn = await selected(lines, { sample, seed })
      expect(drawn).toHaveLength(Math.min(sample, lines.length))
      let at = -1
      for (const line of drawn) {
        at = lines.indexOf(line, at + 1)
        expect(at).not.toBe(-1)
      }
    }),
    samples(50),
  )
})

const numbered = Array.from({ length: 5000 }, (_, at) => `line ${at}`)

test('a sample is that of its seed', async () => {
  const drawn = await selected(numbered, { sample: 100, seed: 1 })
  expect(await selected(numbered, { sample: 100, seed: 1 })).toEqual(drawn)
  expect(await selected(numbered, { sample: 100, seed: 2 })).not.toEqual(drawn)
  expect(await selected(numbered, { sample: 100 })).toEqual(await selected(numbered, { sample: 100, seed: 0 }))
})

test('limit and sample count the rows of the shard', async () => {
  const shard = { index: 2, count: 3 }
  const all = await selected(numbered, { shard })
  expect(await selected(numbered, { shard, limit: 10 })).toEqual(all.slice(0, 10))
  const drawn = await selected(numbered, { shard, sample: 10 })
  expect(drawn).toHaveLength(10)
  expect(drawn.every((line) => all.includes(line))).toBe(true)
})

test('a sample of a pipe needs a place to keep it', async () => {
  const opening = openInput('-', { sample: 3 }, inputIo([Buffer.from('a\n')]))
  await expect(opening).rejects.toThrow(/^--sample reads the input twice: it needs a file, or --output/)
})
