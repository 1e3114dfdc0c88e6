import type { Operation, Reply, SendOptions } from '../api/operation.ts'
import { quota } from '../api/quota.ts'
import { adviseOnAddress } from '../api/status-failure.ts'
import { NetworkError } from '../errors.ts'
import { isObject, quote, type JsonObject } from '../io/json.ts'

interface Sender {
  send(operation: Operation, body?: JsonObject, options?: SendOptions): Promise<Reply>
}

/**
 * Asks the service for the record.
 * @throws NetworkError for a reply that is none, and what the request throws.
 */
export async function readQuota(client: Sender, options?: SendOptions): Promise<JsonObject> {
  const { json } = await client.send(quota, undefined, options).catch((error: unknown) => {
    throw adviseOnAddress(error)
  })
  if (isObject(json)) return json
  throw new NetworkError(`the service sent no quota record: ${quote(json)}`)
}
