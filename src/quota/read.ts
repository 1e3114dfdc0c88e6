import { operations, type SendOptions, type Sender } from '../api/operations.ts'
import { adviseOnAddress } from '../api/failures.ts'
import { NetworkError } from '../errors.ts'
import { isObject, quote, type JsonObject } from '../io/json.ts'

/**
 * Asks the service for the record.
 * @throws NetworkError for a reply that is none, and what the request throws.
 */
export async function readQuota(client: Sender, options?: SendOptions): Promise<JsonObject> {
  const { json } = await client.send(operations.quota, undefined, options).catch((error: unknown) => {
    throw adviseOnAddress(error)
  })
  if (isObject(json)) return json
  throw new NetworkError(`the service sent no quota record: ${quote(json)}`)
}
