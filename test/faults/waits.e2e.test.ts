/** The retries of all axes that do not follow at once. All runs wait at the same time. */

import { describe, expect, test } from 'vitest'
import { axes } from './axes.ts'
import { samplesOf, tryCase, waits } from './cell.ts'

const rows = axes.flatMap((axis) =>
  axis.cases.map((one, at) => ({ name: `${axis.title}: ${one.name}`, one, candidates: samplesOf(axis, one, at) })),
)

describe.concurrent('a retry follows', () => {
  test.each(rows.filter(({ one }) => waits(one)))('$name', async ({ one, candidates }) => {
    expect(await tryCase(one, 1, candidates)).toEqual([])
  })
})
