/** Time, so that a test can run hours of it at once. */

import type { Io } from '../../io/io.ts'
import { startTimer } from '../../io/timer.ts'

export interface Clock {
  /** In milliseconds, for durations: nobody sets it. */
  now(): number
  /** Milliseconds since 1970, for the times that the service names. */
  time(): number
  /** Calls back after a delay in milliseconds. @returns a function that stops the timer. */
  startTimer(delay: number, callback: () => void): () => void
}

export function realClock({ elapsed, now }: Pick<Io, 'elapsed' | 'now'>): Clock {
  return {
    now: elapsed,
    time: now,
    startTimer(delay, callback) {
      const timer = startTimer(delay, callback)
      return () => clearTimeout(timer)
    },
  }
}
