/** How the time of work grows, in one run, so that it holds on a slow or busy machine. */

import { expect } from 'vitest'

/** How many times as much the larger work is. */
export const growthFactor = 32

/** In milliseconds: a shorter time is noise, and counts as this. */
const least = 4

/** User CPU time in milliseconds, which other programs on the machine do not change. */
async function timeOf(work: () => unknown): Promise<number> {
  const { user } = process.cpuUsage()
  await work()
  return (process.cpuUsage().user - user) / 1000
}

/**
 * Fails if the time for `growthFactor` times the work is nearer to the square of it than to linear: ten times as long as linear
 * is far more than the noise of any machine, and a third of the square.
 */
export async function expectLinear(little: () => unknown, much: () => unknown): Promise<void> {
  // So that the code is compiled for both.
  await little()
  const short = Math.max(await timeOf(little), least)
  expect((await timeOf(much)) / short).toBeLessThan(10 * growthFactor)
}
