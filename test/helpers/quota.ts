/** Runs `syn quota` against a service that answers every request with the same reply. */

import { expect } from 'vitest'
import { asking } from './asking.ts'
import type { RunOptions } from './run-syn.ts'
import { json } from './service.ts'

/** The record of a current account, with all blocks. */
export const record = {
  subscription: { limit: 500, requests: 120.5, renewsAt: '2026-08-19T20:18:11.436Z' },
  search: { hourly: { limit: 250, requests: 0, renewsAt: '2026-08-19T16:00:00.000Z' } },
  freeToolCalls: { limit: 0, requests: 3, renewsAt: '2026-08-19T20:18:11.436Z' },
  weeklyTokenLimit: {
    nextRegenAt: '2026-08-20T00:00:00.000Z',
    percentRemaining: 99.98,
    maxCredits: '$24.00',
    remainingCredits: '$23.99',
    nextRegenCredits: '$0.48',
  },
  rollingFiveHourLimit: {
    nextTickAt: '2026-08-19T15:15:00.000Z',
    tickPercent: 0.05,
    remaining: 498.9,
    max: 500,
    limited: false,
  },
}

export const { run: quota, refusalOf } = asking('quota', json(record))

/** The output of a successful run for this reply, with nothing on standard error. */
export async function printed(argv: string[], answered: unknown = record, options: RunOptions = {}): Promise<string> {
  const { code, out, err } = await quota(argv, { ...options, answer: json(answered) })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}
