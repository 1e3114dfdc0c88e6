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
  readonly number: number
  readonly callback: () => void
}

/** @param start Milliseconds since 1970. */
export function virtualClock(start = 0): VirtualClock {
  let now = start
  let shift = 0
  let count = 0
  const heap: Timer[] = []
  const stopped = new Set<Timer>()
  const startTimer = (delay: number, callback: () => void): (() => void) => {
    const timer = { at: now + Math.max(0, delay), number: count++, callback }
    push(heap, timer)
    return () => void stopped.add(timer)
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
        const timer = pop(heap)
        if (!timer) throw new Error('nothing is left that could settle the promise')
        if (stopped.delete(timer)) continue
        now = timer.at
        timer.callback()
        // Node calls all timers that are due in one turn of its event loop.
        while (heap[0]?.at === now) {
          const other = pop(heap) as Timer
          if (!stopped.delete(other)) other.callback()
        }
      }
    },
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.number < b.number)
}

function push(heap: Timer[], timer: Timer): void {
  let index = heap.push(timer) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!isBefore(timer, heap[parent] as Timer)) break
    heap[index] = heap[parent] as Timer
    index = parent
  }
  heap[index] = timer
}

function pop(heap: Timer[]): Timer | undefined {
  const [first] = heap
  const last = heap.pop()
  if (!first || !last || heap.length === 0) return first
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Timer, heap[child] as Timer)) child++
    if (isBefore(last, heap[child] as Timer)) break
    heap[index] = heap[child] as Timer
    index = child
  }
  heap[index] = last
  return first
}
