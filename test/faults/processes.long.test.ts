/** The program as a process: files, names, environments and sizes. */

import { beforeEach, describe, expect, test } from 'vitest'
import { needs } from '../helpers/installed.ts'
import { canTry, titleOf, tryProcess } from './process.ts'
import { longAxes } from './processes.ts'

beforeEach(needs('bash'))

describe.each(longAxes)('$title', ({ cases }) => {
  test.concurrent.for(cases.map((one) => [titleOf(one), one] as const))('%s', async ([, one], { skip }) => {
    skip(!canTry(one), one.needs)
    expect(await tryProcess(one)).toEqual([])
  })
})
