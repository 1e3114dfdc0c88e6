/** Finds the path of the service's web search by trying, and caches it. */

import { withBaseUrlHint, isMissingEndpoint } from '../api/failures.ts'
import { operations, type Operation, type Sender } from '../api/operations.ts'
import { Cache } from '../io/cache.ts'
import type { Io } from '../io/io.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Settings } from '../settings/settings.ts'

interface Deps {
  readonly client: Sender
  readonly settings: Settings
  readonly io: Io
}

/** Name of the cache entry with the path that answered last. */
const cacheName = 'search-path'

const { search } = operations

/** The specification's path first. */
const variants: readonly Operation[] = [search.path, ...search.otherPaths].map((path) => ({ ...search, path }))

/** @throws what the request throws; if no path exists, with a hint about the base URL. */
export async function searchWeb(body: JsonObject, { client, settings, io }: Deps): Promise<Json> {
  const likely = likelyOperation({ settings, io })
  let failure: unknown
  for (const operation of [likely, ...variants.filter(({ path }) => path !== likely.path)]) {
    try {
      const { json } = await client.send(operation, body)
      if (operation !== likely && settings.cacheKey !== undefined) {
        await new Cache(io).write(cacheName, settings.cacheKey, operation.path)
      }
      return json
    } catch (error) {
      if (!isMissingEndpoint(error)) throw error
      failure = error
    }
  }
  throw withBaseUrlHint(failure)
}

/** The operation that answered last, or the specification's. */
export function likelyOperation({ settings, io }: Pick<Deps, 'settings' | 'io'>): Operation {
  const { cacheKey } = settings
  const cached = cacheKey === undefined ? undefined : new Cache(io).read(cacheName, cacheKey)
  return variants.find(({ path }) => path === cached?.value) ?? search
}
