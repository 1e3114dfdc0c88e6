/** The program as a process under faults: files, names, environments, sizes. */

import { describe, expect, test } from 'vitest'
import { canTry, titleOf, tryProcess } from './process.ts'
import { longAxes } from './processes.ts'

describe.each(longAxes)('$title', ({ cases }) => {
  test.concurrent.for(cases.map((one) => [titleOf(one), one] as const))('%s', async ([, one], { skip }) => {
    skip(!canTry(one), one.needs)
    expect(await tryProcess(one)).toEqual([])
  })
})
