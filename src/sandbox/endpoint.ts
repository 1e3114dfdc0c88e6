import type { Json } from '../io/json.ts'
import type { Account } from './account.ts'
import type { ServerEvent } from './event-stream.ts'

/** What an endpoint answers: a whole document, or a stream of events. */
export type Answer = { readonly json: Json } | { readonly events: Iterable<ServerEvent> }

/** @param body The parsed JSON body of a POST; undefined otherwise. */
export type Endpoint = (body: unknown, account: Account) => Promise<Answer>
