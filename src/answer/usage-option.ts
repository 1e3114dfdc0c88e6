/** Asks for the usage of a streamed answer: many services send it only with `stream_options.include_usage`. */

import type { StreamingOperation } from '../api/operations.ts'
import { StatusError } from '../errors.ts'
import type { JsonObject } from '../io/json.ts'
import type { Catalog } from '../models/catalog.ts'

/** Where it is known which operations refuse the option. */
export type UsageOptionMemory = Pick<Catalog, 'refusesUsageOption' | 'rememberUsageOptionRefused'>

/** Adds the option, unless the request has `stream_options` of its own or the service is known to refuse it. */
export function withUsageOption<Body extends JsonObject>(
  operation: StreamingOperation,
  body: Body,
  catalog: UsageOptionMemory,
): Body {
  const isAccepted = Object.hasOwn(operation.fields, 'stream_options') && !catalog.refusesUsageOption(operation)
  if (!isAccepted || body.stream !== true || body.stream_options !== undefined) return body
  return { ...body, stream_options: { include_usage: true } }
}

/**
 * Sends a request, and sends it again without the added option if the service refuses that.
 * @param request As given by the user.
 */
export async function sendWithUsageOption(
  send: (body: JsonObject) => Promise<void>,
  body: JsonObject,
  { request, operation }: { readonly request: JsonObject; readonly operation: StreamingOperation },
  catalog: UsageOptionMemory,
): Promise<void> {
  const isAdded = body.stream_options !== undefined && request.stream_options === undefined
  try {
    await send(body)
  } catch (error) {
    if (!isAdded || !isRefusal(error)) throw error
    const { stream_options: _added, ...others } = body
    await send(others)
    // Only now: the words may have been about something else.
    await catalog.rememberUsageOptionRefused(operation)
  }
}

function isRefusal(error: unknown): boolean {
  const isStatus = error instanceof StatusError && (error.status === 400 || error.status === 422)
  return isStatus && /stream_options|include_usage/.test(error.message)
}
