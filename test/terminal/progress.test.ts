import fc from 'fast-check'
import { expect, test } from 'vitest'
import { progressLine } from '../../src/terminal/progress.ts'
import { samples } from '../helpers/samples.ts'

test.each<[done: number, elapsed: number, columns: number, line: string]>([
  [0, 500, 80, '0 of 200 texts'],
  [50, 5000, 80, '50 of 200 texts · 15 s left'],
  [2, 200_000, 80, '2 of 200 texts · 6 h left'],
  [50, 5000, 40, '50 of 200 texts · 15 s left'],
  [50, 5000, 30, '50 of 200 texts · 15 s left'],
])('%i done after %i ms on %i columns', (done, elapsed, columns, line) => {
  expect(progressLine(200, done, elapsed, columns)).toBe(line)
})

test('the line never wraps', () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(1e7), fc.integer({ min: 1, max: 200 }), (done, elapsed, columns) => {
      const line = progressLine(1e6, done, elapsed, columns)
      expect(line.length).toBeLessThan(columns)
      expect(line).not.toMatch(/NaN|Infinity|-/)
    }),
    samples(),
  )
})
