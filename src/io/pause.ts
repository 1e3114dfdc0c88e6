import { setTimeout as pause } from 'node:timers/promises'
import type { Io } from './io.ts'

/** In milliseconds. A timer stands still while the machine sleeps, and Node's fires at once beyond 24 days. */
const longestTimer = 60_000

/**
 * Waits until the clock shows a time.
 * @param time Milliseconds since 1970.
 * @throws the reason why the run is stopped meanwhile.
 */
export async function pauseUntil(time: number, { now, signal }: Pick<Io, 'now' | 'signal'>): Promise<void> {
  for (let left = time - now(); left > 0; left = time - now()) {
    try {
      await pause(Math.min(left, longestTimer), undefined, { signal })
    } catch {
      throw signal.reason as Error
    }
  }
}
