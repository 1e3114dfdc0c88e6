/** Timers for numbers from outside: Node fires one of more than 24 days at once. */

import { expect, test } from 'vitest'
import { pause, startTimer } from '../../src/io/time/time.ts'

test.each([2 ** 31, Infinity])('a timer for %d ms does not fire at once', async (duration) => {
  const fired: string[] = []
  const stopping = new AbortController()
  const timer = startTimer(duration, () => fired.push('timer'))
  const paused = pause(duration, { signal: stopping.signal }).then(() => fired.push('pause'))
  // Later than a timer that fires at once.
  await pause(10)
  clearTimeout(timer)
  stopping.abort(new Error('stopped'))
  await expect(paused).rejects.toThrow('stopped')
  expect(fired).toEqual([])
})

test('the rest of a wait may be negative', async () => {
  const warnings: Error[] = []
  const note = (warning: Error): void => void warnings.push(warning)
  process.on('warning', note)
  await pause(-2)
  await new Promise<void>((resolve) => startTimer(-2, resolve))
  // Node emits a warning in a later turn.
  await pause(10)
  process.off('warning', note)
  expect(warnings).toEqual([])
})
