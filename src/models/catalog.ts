/** The service's list of models: fetched, and cached for an hour. */

import { setTimeout as pause } from 'node:timers/promises'
import { decodeModels, type Model } from '../api/models.ts'
import { operations, type SendOptions, type Sender } from '../api/operations.ts'
import { isObject, type Json } from '../io/json.ts'
import type { Io } from '../io/io.ts'
import { Cache } from '../io/cache.ts'
import type { Settings } from '../settings/settings.ts'

/** In milliseconds. */
const freshness = 3_600_000

/** How long to wait for a list that the run can do without, in milliseconds. */
const bestEffortTimeout = 2000

export class Catalog {
  readonly #client: Sender
  readonly #settings: Settings
  readonly #cache: Cache
  readonly #now: () => number

  constructor(client: Sender, settings: Settings, io: Io) {
    this.#client = client
    this.#settings = settings
    this.#cache = new Cache(io)
    this.#now = io.now
  }

  /** @throws what the request throws. */
  async models(): Promise<Model[]> {
    return decodeModels(await this.list())
  }

  /** For advice, or a price: within two seconds, asked once, and empty when they can't be had. */
  async modelsIfAvailable(): Promise<Model[]> {
    const list = this.list({ bestEffort: true }).catch(() => [])
    return decodeModels(await Promise.race([list, pause(bestEffortTimeout, [], { ref: false })]))
  }

  /**
   * The service's whole reply, no older than an hour.
   * @param options With `refresh`, asked for anew.
   * @throws what the request throws.
   */
  async list({ refresh, ...options }: { refresh?: boolean | undefined } & SendOptions = {}): Promise<Json> {
    const { cacheKey } = this.#settings
    const cached = refresh || cacheKey === undefined ? undefined : await this.#cache.read('models', cacheKey)
    // A clock that was set back must not keep a list for ever.
    if (cached && Math.abs(this.#now() - cached.saved) < freshness) return cached.value
    const { json } = await this.#client.send(operations.models, undefined, options)
    // An empty list may be a fault that has passed by the next time.
    if (cacheKey !== undefined && isObject(json) && decodeModels(json).length > 0) {
      await this.#cache.write('models', cacheKey, json)
    }
    return json
  }

  /** What the cache holds, however old; asks nobody. */
  async cachedModels(): Promise<Model[]> {
    const { cacheKey } = this.#settings
    const cached = cacheKey === undefined ? undefined : await this.#cache.read('models', cacheKey)
    return cached ? decodeModels(cached.value) : []
  }
}
