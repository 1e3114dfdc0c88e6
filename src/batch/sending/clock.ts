/** Time, so that a test can run hours of it at once. */

import { startTimer } from '../../io/timer.ts'

export interface Clock {
  /** In milliseconds. */
  now(): number
  /** Calls back after a delay in milliseconds. @returns a function that stops the timer. */
  startTimer(delay: number, callback: () => void): () => void
}

/** @param now As of `Io`. */
export function realClock(now: () => number): Clock {
  return {
    now,
    startTimer(delay, callback) {
      const timer = startTimer(delay, callback)
      return () => clearTimeout(timer)
    },
  }
}
