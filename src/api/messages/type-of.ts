import { isObject, type Json } from '../../io/json.ts'

/** What tells events, blocks and deltas apart; empty for what is none of them. */
export function typeOf(value: Json | undefined): string {
  return isObject(value) && typeof value.type === 'string' ? value.type : ''
}
