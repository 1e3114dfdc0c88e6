/** Timers for numbers from outside, such as `--timeout`: they may be too large for one of Node. */

import { setImmediate as immediate, setTimeout as timeout } from 'node:timers/promises'

/** Node fires a longer timer immediately. */
const maxTimer = 2 ** 31 - 1

/** For long work: signals are handled only between turns of the event loop, and writing to a file does not start a new turn. */
export function yieldToEventLoop(): Promise<void> {
  return immediate()
}

/** In milliseconds. */
const longestTurn = 50

/** Divides a long loop among turns of the event loop: where it can pause, `if (turn.isOver) await turn.next(signal)`. */
export class Turn {
  #end = performance.now() + longestTurn

  get isOver(): boolean {
    return performance.now() > this.#end
  }

  /** @throws the signal's reason if it aborted. */
  async next(signal?: AbortSignal): Promise<void> {
    await yieldToEventLoop()
    signal?.throwIfAborted()
    this.#end = performance.now() + longestTurn
  }
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
