/** An answer with a status other than 200, and its body in each family. */

import type { JsonObject } from '../io/json.ts'

/** Which of the two interface families a path belongs to; they word their errors differently. */
export type Family = 'chat' | 'messages'

export class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'HttpError'
    this.status = status
  }
}

const messagesErrorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
}

export function errorBody(family: Family, { status, message }: HttpError, requestId: string): JsonObject {
  if (family === 'chat') return { error: message }
  const type = messagesErrorTypes[status] ?? 'api_error'
  return { type: 'error', error: { type, message }, request_id: requestId }
}
