/** What waits: the axis of time, and the retries of all other axes that do not follow at once. */

import { describe, expect, test } from 'vitest'
import { axes, quickAxes } from './axes.ts'
import { time } from './axes/time.ts'
import { tryCase, waits } from './cell.ts'

test.concurrent.each(time.cases)('$name', async (one) => {
  expect(await tryCase(one, 1)).toEqual([])
})

describe.each(quickAxes.filter(({ cases }) => cases.some(waits)))('$title', ({ cases }) => {
  test.concurrent.each(cases.filter(waits))('$name: is retried', async (one) => {
    expect(await tryCase(one, 1)).toEqual([])
  })
})

test('every axis is tried', () => {
  expect(axes).toEqual([...quickAxes, time])
})
