/** The search endpoint. The sandbox has no web: its results are invented, and say so. */

import { isObject } from '../io/json/json.ts'
import type { Account } from './account.ts'
import { type SandboxReply, HttpError } from './endpoint.ts'

/** `POST /search` */
export async function answerSearch(body: unknown, account: Account): Promise<SandboxReply> {
  const query = isObject(body) ? body['query'] : undefined
  if (typeof query !== 'string' || query.trim() === '') {
    throw new HttpError(400, '$.query is missing; it must be a string that is not blank')
  }
  account.countSearch()
  const results = [1, 2, 3].map((number) => ({
    url: `https://syn.invalid/${number}`,
    title: `Invented result ${number} for ${query}`,
    text: `The syn sandbox, an offline stand-in, has searched nothing. A service has here what a page says about ${query}.`,
    highlights: [`what a page says about ${query}`],
    published: `2026-01-0${number}T00:00:00.000Z`,
  }))
  return { json: { results } }
}
