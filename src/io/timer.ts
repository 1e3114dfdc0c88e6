/** Timers for numbers from outside, such as `--timeout`: they may be too large for one of Node. */

import { setImmediate as immediate, setTimeout as timeout } from 'node:timers/promises'

/** Node fires a longer timer immediately. */
const maxTimer = 2 ** 31 - 1

/** For long work: signals are handled only between turns of the event loop, and writing to a file does not start a new turn. */
export function yieldToEventLoop(): Promise<void> {
  return immediate()
}

/** Calls back after a delay, in milliseconds. */
export function startTimer(delay: number, callback: () => void): NodeJS.Timeout {
  return setTimeout(callback, Math.min(delay, maxTimer))
}

/**
 * Waits for some milliseconds.
 * @param options With `ref: false`, the process may end meanwhile.
 * @throws the signal's reason when it aborts.
 */
export async function pause(duration: number, options: { signal?: AbortSignal; ref?: boolean } = {}): Promise<void> {
  try {
    await timeout(Math.min(duration, maxTimer), undefined, options)
  } catch {
    throw options.signal?.reason as Error
  }
}
