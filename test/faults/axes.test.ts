/**
 * Every value of every axis, except what waits: that is in `waits.e2e.test.ts`. A value is tried with the operations
 * on whose code its outcome depends (`samplesOf`): `axes.long.test.ts` tries all with all.
 */

import { describe, expect, test } from 'vitest'
import { quickAxes } from './axes.ts'
import { samplesOf, tryCase, waits } from './cell.ts'

describe.each(quickAxes)('$title', (axis) => {
  test.each(axis.cases.map((one, at) => ({ name: one.name, one, at })))('$name', async ({ one, at }) => {
    expect(await tryCase(one, waits(one) ? 0 : 1, samplesOf(axis, one, at))).toEqual([])
  })
})
