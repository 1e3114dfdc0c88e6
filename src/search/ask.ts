/** Which of its two paths a service has its web search at: tried, and then remembered. */

import type { Operation, Reply } from '../api/operation.ts'
import { search, versionedSearch } from '../api/search/operation.ts'
import { adviseOnAddress, isAbsent } from '../api/status-failure.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Io } from '../io/io.ts'
import { Cache } from '../io/cache.ts'
import type { Settings } from '../settings/settings.ts'

/** The name of what is remembered. */
const fact = 'search-path'

interface Surroundings {
  readonly client: { send(operation: Operation, body: JsonObject): Promise<Reply> }
  readonly settings: Settings
  readonly io: Io
}

/** @throws what the request throws; when neither path is there, with advice on the address. */
export async function searchWeb(body: JsonObject, { client, settings, io }: Surroundings): Promise<Json> {
  const first = await likelySearch({ settings, io })
  const second = first === search ? versionedSearch : search
  try {
    return (await client.send(first, body)).json
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
  try {
    const { json } = await client.send(second, body)
    if (settings.cacheKey !== undefined) await new Cache(io).write(fact, settings.cacheKey, second.path)
    return json
  } catch (error) {
    throw adviseOnAddress(error)
  }
}

/** The operation that answered last; before any did, the one of the specification. */
export async function likelySearch({ settings, io }: Pick<Surroundings, 'settings' | 'io'>): Promise<Operation> {
  const { cacheKey } = settings
  const known = cacheKey === undefined ? undefined : await new Cache(io).read(fact, cacheKey)
  return known?.value === versionedSearch.path ? versionedSearch : search
}
