/** The program as a process under faults: its streams, the limits of the system, and signals. */

import { describe, expect, test } from 'vitest'
import { share } from '../helpers/samples.ts'
import { canTry, titleOf, tryProcess } from './process.ts'
import { everydayAxes } from './processes.ts'
import { triedSignals } from './processes/signals.ts'
import { tryWaiting } from './waiting.ts'

describe.each(everydayAxes)('$title', ({ cases }) => {
  const alike = cases.filter(({ isAlike }) => isAlike)
  const tried = [...cases.filter(({ isAlike }) => !isAlike), ...share(alike, 0, 2)]
  test.concurrent.for(tried.map((one) => [titleOf(one), one] as const))('%s', async ([, one], { skip }) => {
    skip(!canTry(one), one.needs)
    expect(await tryProcess(one)).toEqual([])
  })
})

test.concurrent.each(triedSignals)('$signal $name', async (one) => {
  expect(await tryWaiting(one)).toEqual([])
})
