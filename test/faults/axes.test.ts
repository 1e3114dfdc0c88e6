/**
 * Every value of every axis with every operation, except what waits: that is in `waits.e2e.test.ts`. A status that is like
 * others is tried with one operation: `statuses.long.test.ts` tries it with all.
 */

import { describe, expect, test } from 'vitest'
import { pairs } from '../helpers/samples.ts'
import { quickAxes } from './axes.ts'
import { isSpecial, statuses } from './axes/status.ts'
import { tryCase, waits } from './cell.ts'
import { operations } from './operations.ts'

describe.each(quickAxes)('$title', (axis) => {
  const cases = axis === statuses ? axis.cases.filter(isSpecial) : axis.cases
  test.each(cases)('$name', async (one) => {
    expect(await tryCase(one, waits(one) ? 0 : 1)).toEqual([])
  })
})

const others = statuses.cases.filter((one) => !isSpecial(one))

test.each(pairs(others, operations))('$name with one operation', async (one, operation) => {
  expect(await tryCase(one, 1, [operation])).toEqual([])
})
