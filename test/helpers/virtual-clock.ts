/** Virtual time: timers fire in order, as soon as nothing else is left to do. */

import type { PoolOptions } from '../../src/batch/sending/pool.ts'

type Clock = PoolOptions['clock']

export interface VirtualClock extends Clock {
  /** Sets the clock that shows the time, by milliseconds; `now` goes on. */
  set(by: number): void
  /** Resolves after a time in milliseconds. */
  pause(duration: number): Promise<void>
  /** Runs until the promise settles. @throws if nothing is left that could settle it. */
  runUntil<Result>(promise: Promise<Result>): Promise<Result>
}

interface Timer {
  readonly at: number
  readonly callback: () => void
}

/** @param start Milliseconds since 1970. */
export function virtualClock(start = 0): VirtualClock {
  let now = start
  let shift = 0
  /** In the order in which they fire. */
  let timers: Timer[] = []
  const startTimer = (delay: number, callback: () => void): (() => void) => {
    const timer = { at: now + Math.max(0, delay), callback }
    timers.splice(timers.findLastIndex(({ at }) => at <= timer.at) + 1, 0, timer)
    return () => void (timers = timers.filter((one) => one !== timer))
  }
  return {
    now: () => now,
    time: () => now + shift,
    set: (by) => void (shift += by),
    startTimer,
    pause: (duration) => new Promise((resolve) => startTimer(duration, resolve)),
    async runUntil(promise) {
      let isSettled = false
      const settle = (): void => void (isSettled = true)
      promise.then(settle, settle)
      for (;;) {
        // All promises that are ready.
        await new Promise((resolve) => setImmediate(resolve))
        if (isSettled) return promise
        if (timers.length === 0) throw new Error('nothing is left that could settle the promise')
        now = timers[0]?.at ?? now
        // Node calls all timers that are due in one turn of its event loop.
        while (timers[0]?.at === now) timers.shift()?.callback()
      }
    },
  }
}
