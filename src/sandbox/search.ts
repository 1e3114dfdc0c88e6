import { isObject } from '../io/json.ts'
import type { Account } from './account.ts'
import { searchManual } from './manual.ts'
import { Refusal } from './refusal.ts'
import type { Answer } from './endpoint.ts'

/** `POST /search`: not the web, but this tool's own manual. */
export async function answerSearch(body: unknown, account: Account): Promise<Answer> {
  const query = isObject(body) ? body['query'] : undefined
  if (typeof query !== 'string' || query.trim() === '') {
    throw new Refusal(400, '$.query: expected what to search for, a string')
  }
  account.countSearch()
  return { json: { results: searchManual(query) } }
}
