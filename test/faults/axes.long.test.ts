/** Every value of every axis with every operation. */

import { describe, expect, test } from 'vitest'
import { axes } from './axes.ts'
import { tryCase } from './cell.ts'

describe.each(axes)('$title', ({ cases }) => {
  // Some wait for a retry.
  test.concurrent.each(cases)('$name', async (one) => {
    expect(await tryCase(one, 1)).toEqual([])
  })
})
