/** Runs `syn quota` against a service that answers every request with the same reply. */

import { expect } from 'vitest'
import { runSyn, type Outcome, type RunOptions } from './run-syn.ts'
import { json, startService, type Answer, type Asked } from './service.ts'

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

export interface QuotaOptions extends RunOptions {
  /** The service's reply (default: the record above). */
  answer?: Answer
}

export async function quota(argv: string[], options: QuotaOptions = {}): Promise<Outcome & { asked: Asked[] }> {
  const { answer = json(record), env, ...others } = options
  await using service = await startService(answer)
  const outcome = await runSyn(['quota', ...argv], { ...others, env: { ...service.env, ...env } })
  return { ...outcome, asked: service.asked }
}

/** The output of a successful run for this reply, with nothing on standard error. */
export async function printed(argv: string[], answered: unknown = record, options: RunOptions = {}): Promise<string> {
  const { code, out, err } = await quota(argv, { ...options, answer: json(answered) })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

/** The error of a run before anything is sent, without `syn: `, and its hint in parentheses. */
export async function refusalOf(argv: string[]): Promise<string> {
  const { code, out, err, asked } = await quota(argv)
  expect({ code, out, requests: asked.length, err }).toEqual({ code: 2, out: '', requests: 0, err })
  const [, message, hint] = /^syn: (.+)\n(?:hint: (.+)\n)?$/.exec(err) ?? []
  expect(message, err).toBeDefined()
  return hint === undefined ? `${message}` : `${message} (${hint})`
}
