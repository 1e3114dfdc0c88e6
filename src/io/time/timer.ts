/** Timers for numbers from outside, such as `--timeout`: they may be too large for one of Node. */

import { setTimeout as timeout } from 'node:timers/promises'

/** Node fires a longer timer immediately. */
const maxTimer = 2 ** 31 - 1

/** Calls back after a delay, in milliseconds. */
export function startTimer(delay: number, callback: () => void): NodeJS.Timeout {
  return setTimeout(callback, Math.min(delay, maxTimer))
}

/**
 * Waits for some milliseconds.
 * @param options With `ref: false`, the process may end meanwhile.
 * @throws the signal's reason when it aborts.
 */
export async function pause(
  duration: number,
  options: { signal?: AbortSignal | undefined; ref?: boolean } = {},
): Promise<void> {
  try {
    await timeout(Math.min(duration, maxTimer), undefined, options)
  } catch {
    throw options.signal?.reason as Error
  }
}
