/** Timers for any number: one from outside, such as `--timeout`, may be too large for Node, and the rest of a wait negative. */

import { setTimeout as timeout } from 'node:timers/promises'

/** Node fires a longer timer immediately, and from version 24 on warns of a negative one. */
const inRange = (delay: number): number => Math.max(0, Math.min(delay, 2 ** 31 - 1))

/** Calls back after a delay, in milliseconds. */
export function startTimer(delay: number, callback: () => void): NodeJS.Timeout {
  return setTimeout(callback, inRange(delay))
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
    await timeout(inRange(duration), undefined, options)
  } catch {
    throw options.signal?.reason as Error
  }
}
