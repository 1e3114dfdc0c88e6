/** The program as a process under faults: its streams, the limits of the system, and signals. */

import { beforeEach, describe, expect, test } from 'vitest'
import { needs } from '../helpers/installed.ts'
import { canTry, titleOf, tryProcess } from './process.ts'
import { everydayAxes } from './processes.ts'
import { signals } from './processes/signals.ts'
import { tryWaiting } from './waiting.ts'

beforeEach(needs('bash'))

describe.each(everydayAxes)('$title', ({ cases }) => {
  test.concurrent.for(cases.map((one) => [titleOf(one), one] as const))('%s', async ([, one], { skip }) => {
    skip(!canTry(one), one.needs)
    expect(await tryProcess(one)).toEqual([])
  })
})

test.concurrent.each(signals)('$signal $name', async (one) => {
  expect(await tryWaiting(one)).toEqual([])
})
