/**
 * Every value of every axis, except what waits: that is in `waits.e2e.test.ts`. A value is tried with the operations
 * on whose code its outcome depends (`samplesOf`): `axes.long.test.ts` tries all with all.
 */

import { describe, expect, test } from 'vitest'
import { pairs } from '../helpers/samples.ts'
import { quickAxes } from './axes.ts'
import { isSpecial, statuses } from './axes/status.ts'
import { samplesOf, tryCase, waits } from './cell.ts'
import { operations } from './operations.ts'

describe.each(quickAxes)('$title', (axis) => {
  const cases = axis === statuses ? axis.cases.filter(isSpecial) : axis.cases
  test.each(cases.map((one, at) => ({ name: one.name, one, at })))('$name', async ({ one, at }) => {
    expect(await tryCase(one, waits(one) ? 0 : 1, samplesOf(axis, one, at))).toEqual([])
  })
})

/** Two for each operation, of the hundreds both. */
const others = statuses.cases.filter((one, at) => !isSpecial(one) && at % 8 === 3)

test.each(pairs(others, operations))('$name with one operation', async (one, operation) => {
  expect(await tryCase(one, 1, [operation])).toEqual([])
})
