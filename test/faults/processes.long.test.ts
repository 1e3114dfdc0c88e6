/** The program as a process under every fault of the table. */

import { beforeEach, describe, expect, test } from 'vitest'
import { needs } from '../helpers/installed.ts'
import { canTry, titleOf, tryProcess } from './process.ts'
import { processAxes } from './processes.ts'
import { narrow } from './processes/narrow.ts'
import { signals } from './processes/signals.ts'
import { tryNarrow } from './one-column.ts'
import { tryWaiting } from './waiting.ts'

beforeEach(needs('bash'))

describe.each(processAxes)('$title', ({ cases }) => {
  test.concurrent.for(cases.map((one) => [titleOf(one), one] as const))('%s', async ([, one], { skip }) => {
    skip(!canTry(one), one.needs)
    expect(await tryProcess(one)).toEqual([])
  })
})

test.concurrent.each(signals)('$signal $name', async (one) => {
  expect(await tryWaiting(one)).toEqual([])
})

test.concurrent.each(narrow)('one column: $name', async (one) => {
  expect(await tryNarrow(one)).toEqual([])
})
