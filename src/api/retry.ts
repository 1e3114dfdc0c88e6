/** When to ask again, and how long to wait before. */

import { NetworkError, StatusError } from '../errors.ts'

const retryableStatuses = new Set([408, 429, 500, 502, 503, 504, 524, 529])

const firstWait = 500
const longestWait = 30_000

/** Whether a failure may pass when the same request is sent again. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof StatusError) return retryableStatuses.has(error.status)
  return error instanceof NetworkError && error.retryable
}

/**
 * @param attempt Counts from 0.
 * @param random From 0 to 1: spreads clients that failed together.
 * @returns milliseconds.
 */
export function waitBefore(attempt: number, error: unknown, random: number): number {
  if (error instanceof StatusError && error.retryAfter !== undefined) return error.retryAfter
  return Math.min(firstWait * 2 ** attempt, longestWait) * (0.75 + random / 2)
}
