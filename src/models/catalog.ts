/** The service's model list, cached for an hour. */

import { decodeModels, isAlias, type Model } from '../api/models.ts'
import { operations, type SendOptions, type Sender } from '../api/operations.ts'
import { isObject, type Json } from '../io/json.ts'
import type { Io } from '../io/io.ts'
import { Cache, type Cached } from '../io/cache.ts'
import { pause } from '../io/timer.ts'
import type { Settings } from '../settings/settings.ts'

/** Milliseconds for which a cached list is used. */
const maxAge = 3_600_000

/** Milliseconds to wait for a list that the run can do without. */
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

  /**
   * For a hint or a price: waits at most two seconds, does not retry, and is empty after a failure.
   * @param options With `refresh`, the cache is not read.
   */
  async modelsIfAvailable(options: { refresh?: boolean } = {}): Promise<Model[]> {
    const list = this.list({ ...options, bestEffort: true }).catch(() => [])
    return decodeModels(await Promise.race([list, pause(bestEffortTimeout, { ref: false }).then(() => [])]))
  }

  /**
   * Returns the service's whole reply, at most an hour old.
   * @param options With `refresh`, the cache is not read.
   * @throws what the request throws.
   */
  async list({ refresh, ...options }: { refresh?: boolean | undefined } & SendOptions = {}): Promise<Json> {
    const { cacheKey } = this.#settings
    const cached = refresh ? undefined : this.#cached()
    // `abs`: a clock that was set back must not keep a list forever.
    if (cached && Math.abs(this.#now() - cached.saved) < maxAge) return cached.value
    const { json } = await this.#client.send(operations.models, undefined, options)
    // An empty list may be a temporary fault of the service.
    if (cacheKey !== undefined && isModelList(json)) {
      await this.#cache.write('models', cacheKey, json)
    }
    return json
  }

  /** Whether `-m` accepts a listed model, which is not an alias: `hf:` names only, without the setting `any-model`. */
  accepts(model: Model): boolean {
    return this.#settings.anyModel ? !isAlias(model) : model.id.startsWith('hf:')
  }

  /** Whether the service has the aliases. With `any-model`, it may be another service: then only if it lists one. */
  hasAliases(models: readonly Model[]): boolean {
    return !this.#settings.anyModel || models.some(isAlias)
  }

  /** The cached models, however old. Sends no request. */
  cachedModels(): Model[] {
    const cached = this.#cached()
    return cached ? decodeModels(cached.value) : []
  }

  /** `undefined` without a cache, or if it is damaged. */
  #cached(): Cached | undefined {
    const { cacheKey } = this.#settings
    const cached = cacheKey === undefined ? undefined : this.#cache.read('models', cacheKey)
    return cached && isModelList(cached.value) ? cached : undefined
  }
}

/** Whether a list can be cached: it has models, and can be printed, which too many nested arrays prevent. */
function isModelList(list: Json): boolean {
  try {
    return isObject(list) && decodeModels(list).length > 0 && JSON.stringify(list) !== ''
  } catch {
    return false
  }
}
