/** `--compare`: cosine similarity of all pairs of texts. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InterruptedError } from '../../../src/errors.ts'
import { directionOf, norm, similaritiesOf } from '../../../src/embeddings/similarity.ts'
import { changed, embed, wellBehaved } from '../../helpers/embed.ts'
import { startService } from '../../helpers/service.ts'
import { watchSyn } from '../../helpers/watched-run.ts'
import { samples } from '../../helpers/samples.ts'

test.each<[title: string, vectors: string, table: string]>([
  ['same direction, right angles, opposite', '1 0|2 0|0 3|-1 0', '1 1 0 -1|1 1 0 -1|0 0 1 0|-1 -1 0 1'],
  ['a vector of zeros', '0 0|1 1', '0 0|0 1'],
  ['too large to square', '1e300 0|1e300 1e300', '1 0.707107|0.707107 1'],
])('%s', async (_title, given, table) => {
  const vectors = given.split('|').map((vector) => vector.split(' ').map(Number))
  const answer = () =>
    changed((reply) => ({ ...reply, data: reply.data.map((item, at) => ({ ...item, embedding: vectors[at] })) }))
  const { code, out, err } = await embed(['--compare', ...vectors.map((_, index) => `text ${index}`)], { answer })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toBe(`${table.replaceAll(' ', '\t').replaceAll('|', '\n')}\n`)
})

test('texts of several requests are compared with each other', async () => {
  const argv = ['--compare', 'one', 'two', 'three', 'four']
  expect((await embed([...argv, '--batch-size', '1'])).out).toBe((await embed(argv)).out)
})

test('can be interrupted', async () => {
  await using service = await startService(wellBehaved)
  const texts = Array.from({ length: 200 }, (_, number) => `text ${number}`)
  const run = watchSyn(['embed', '-m', 'hf:a/b', '--compare', ...texts], service.env, {
    onWrite: () => void setTimeout(() => run.stop(new InterruptedError(2))),
  })
  const { code, out, err } = await run.outcome
  expect({ code, err }).toEqual({ code: 130, err: '' })
  expect(out.split('\n').length).toBeLessThan(texts.length)
})

test('is always a number from -1 to 1, and symmetric', () => {
  const vectors = fc.integer({ min: 1, max: 5 }).chain((length) =>
    fc.array(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: length, maxLength: length }), {
      minLength: 2,
      maxLength: 4,
    }),
  )
  fc.assert(
    fc.property(vectors, (list) => {
      const directions = list.map(directionOf)
      const rows = list.map((_, index) => similaritiesOf(index, directions))
      for (const [at, row] of rows.entries()) {
        for (const [other, cosine] of row.entries()) {
          expect(Math.abs(cosine)).toBeLessThanOrEqual(1)
          expect(cosine).toBe(rows[other]?.[at])
        }
        const own = norm(list[at] ?? []) === 0 ? 0 : 1
        expect(row[at]).toBeCloseTo(own)
      }
    }),
    samples(),
  )
})
