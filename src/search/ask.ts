/** Which of its paths a service has its web search at: tried, and then remembered. */

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

/** The name of the cache entry: the path that answered last. */
const cached = 'search-path'

const { search } = operations

/** The path of the specification first. */
const searches: readonly Operation[] = [search.path, ...search.otherPaths].map((path) => ({ ...search, path }))

/** @throws what the request throws; when none of the paths is there, with advice on the address. */
export async function searchWeb(body: JsonObject, { client, settings, io }: Deps): Promise<Json> {
  const likely = await likelySearch({ settings, io })
  let failure: unknown
  for (const operation of [likely, ...searches.filter(({ path }) => path !== likely.path)]) {
    try {
      const { json } = await client.send(operation, body)
      if (operation !== likely && settings.cacheKey !== undefined) {
        await new Cache(io).write(cached, settings.cacheKey, operation.path)
      }
      return json
    } catch (error) {
      if (!isMissingEndpoint(error)) throw error
      failure = error
    }
  }
  throw withBaseUrlHint(failure)
}

/** The operation that answered last; before any did, the one of the specification. */
export async function likelySearch({ settings, io }: Pick<Deps, 'settings' | 'io'>): Promise<Operation> {
  const { cacheKey } = settings
  const known = cacheKey === undefined ? undefined : await new Cache(io).read(cached, cacheKey)
  return searches.find(({ path }) => path === known?.value) ?? search
}
