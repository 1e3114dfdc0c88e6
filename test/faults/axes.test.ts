/** Every value of every axis with every operation, except what waits: that is in `waits.e2e.test.ts`. */

import { describe, expect, test } from 'vitest'
import { quickAxes } from './axes.ts'
import { tryCase, waits } from './cell.ts'

describe.each(quickAxes)('$title', ({ cases }) => {
  test.each(cases)('$name', async (one) => {
    expect(await tryCase(one, waits(one) ? 0 : 1)).toEqual([])
  })
})
