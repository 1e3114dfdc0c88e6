/** Statuses of failures. */

import { STATUS_CODES } from 'node:http'
import type { Axis, Case, Expected, Outcomes } from '../cases.ts'

const retried = new Set([408, 425, 429, 500, 502, 503, 504, 520, 524, 529])

const hints: Readonly<Record<number, string>> = {
  401: 'check the API key, or use syn login to store another',
  402: 'add credit to the account',
  403: 'check the API key, or use syn login to store another',
  404: 'the model',
  413: 'the request is too large: send less text',
}

const checkBaseUrl = 'check the base URL: syn config get base-url'

function exitOf(status: number): number {
  if (status === 401 || status === 403) return 3
  if (status === 404 || status === 405) return 4
  if (status === 402 || status === 429) return 5
  return status === 408 || status === 425 || status >= 500 ? 6 : 1
}

function outcomesOf(status: number): Outcomes {
  const hint = hints[status]
  const usual: Expected = {
    exit: exitOf(status),
    words: `No. (${`${status} ${STATUS_CODES[status] ?? ''}`.trim()})`,
    isRetried: retried.has(status),
    ...(hint !== undefined && { hint }),
  }
  const elsewhere = { ...usual, hint: checkBaseUrl }
  // The model list has names for the hint.
  if (status === 404) {
    const listed = { ...usual, besides: ['/openai/v1/models'] }
    return { models: elsewhere, quota: elsewhere, search: { ...elsewhere, requests: 2 }, all: listed }
  }
  // A gateway may refuse a path that it does not know.
  if (status === 401 || status === 403) return { search: { ...usual, requests: 2 }, all: usual }
  if (status === 405) return { search: { ...elsewhere, requests: 2 }, all: elsewhere }
  // The quota tells whether it is used up.
  if (status === 429) return { quota: usual, all: { ...usual, besides: ['/v2/quotas'] } }
  return { all: usual }
}

/** Statuses with a hint, a retry or an outcome that depends on the operation, and samples of all others. */
const tried = [400, 401, 402, 403, 404, 405, 408, 413, 418, 425, 429, 499, 500, 501, 502, 503, 504, 520, 524, 529, 599]

export const statuses: Axis = {
  title: 'Status',
  dependsOn: 'nothing',
  cases: tried.map((status): Case => ({
    name: String(status),
    fault: { answer: () => ({ status, body: ['{"error":"No."}'] }) },
    outcomes: outcomesOf(status),
  })),
}
