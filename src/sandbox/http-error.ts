/** A reply with a status other than 200, and its body in each API family. */

import type { JsonObject } from '../io/json/json.ts'

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
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'request_too_large',
  421: 'invalid_request_error',
  429: 'rate_limit_error',
}

/** @param path The request's path: the API families have different error formats. */
export function errorBody(path: string, { status, message }: HttpError, requestId: string): JsonObject {
  if (!path.startsWith('/anthropic/')) return { error: message }
  const type = messagesErrorTypes[status] ?? 'api_error'
  return { type: 'error', error: { type, message }, request_id: requestId }
}
