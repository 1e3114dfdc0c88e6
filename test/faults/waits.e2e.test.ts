/**
 * What waits: the axis of time, and the retries of all other axes that do not follow at once. All runs wait at the same
 * time. `axes.long.test.ts` tries them with every operation.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { quickAxes } from './axes.ts'
import { time } from './axes/time.ts'
import { samplesOf, tryCase, waits } from './cell.ts'
import type { Case } from './cases.ts'

const waiting = [...quickAxes.map((axis) => ({ ...axis, cases: axis.cases.filter(waits) })), time]
const outcomes = new Map<Case, Promise<string[]>>()

beforeAll(() => {
  for (const axis of waiting) {
    for (const [at, one] of axis.cases.entries()) {
      const outcome = tryCase(one, 1, samplesOf(axis, one, at))
      outcome.catch(() => undefined)
      outcomes.set(one, outcome)
    }
  }
})

describe.each(waiting.filter(({ cases }) => cases.length > 0))('$title', ({ cases }) => {
  test.each(cases)('$name', async (one) => {
    expect(await outcomes.get(one)).toEqual([])
  })
})
