/** Every value of every axis, with the operations on whose code its outcome depends (`samplesOf`). */

import { describe, expect, test } from 'vitest'
import { axes } from './axes.ts'
import { samplesOf, tryCase } from './cell.ts'

describe.each(axes)('$title', (axis) => {
  test.each(axis.cases.map((one, at) => ({ name: one.name, one, at })))('$name', async ({ one, at }) => {
    expect(await tryCase(one, 1, samplesOf(axis, one, at))).toEqual([])
  })
})
