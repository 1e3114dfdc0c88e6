/** The service's model list, and whether it refuses to send usage with a stream, cached for an hour. */

import { decodeModels, isAlias, type Model } from '../api/models.ts'
import { type JsonReply, operations, type Operation, type SendOptions, type Sender } from '../api/operations.ts'
import { stringsIn } from '../io/json/json.ts'
import type { Io } from '../io/io.ts'
import { type Cached, readCache, writeCache } from '../io/files/cache.ts'
import { pause } from '../io/time/time.ts'
import type { Settings } from '../settings/settings.ts'

/** Milliseconds for which a cache entry is used. */
const maxAge = 3_600_000

/** Milliseconds to wait for a list that the run can do without. */
const bestEffortTimeout = 2000

/** The name of the cache entry with the paths at which the service refuses `stream_options`. */
const refusals = 'no-usage-option'

export type ModelList = Pick<JsonReply, 'json' | 'exact'>

export class Catalog {
  readonly mayFetch: boolean
  readonly #client: Sender
  readonly #settings: Settings
  readonly #io: Io
  /** The request in progress, which the status row of the chat and a message share. */
  #listing: Promise<ModelList> | undefined
  /** The paths at which the service refuses the usage option. From the cache, and found by this run. */
  #refusingPaths: Set<string> | undefined

  /** @param mayFetch Whether a model may be chosen by a list that is fetched: not for a request that is only printed. */
  constructor(client: Sender, settings: Settings, io: Io, mayFetch = true) {
    this.mayFetch = mayFetch
    this.#client = client
    this.#settings = settings
    this.#io = io
  }

  /** For a hint or a price: waits at most two seconds, does not retry, and is empty after a failure. */
  async modelsIfAvailable(options: { refresh?: boolean } = {}): Promise<Model[]> {
    const request = (): Promise<ModelList> => this.list({ ...options, oneAttempt: true })
    const shared = (): Promise<ModelList> => (this.#listing ??= request().finally(() => (this.#listing = undefined)))
    const list = (options.refresh ? request() : shared()).then(
      ({ json }) => json,
      () => [],
    )
    return decodeModels(await Promise.race([list, pause(bestEffortTimeout, { ref: false }).then(() => [])]))
  }

  /** The service's whole reply, at most an hour old. @param options With `refresh`, the cache is not read. */
  async list({ refresh, ...options }: { refresh?: boolean | undefined } & SendOptions = {}): Promise<ModelList> {
    const cached = refresh ? undefined : this.#cached()
    if (cached && this.#isFresh(cached)) return { json: cached.value, exact: cached.exact }
    if (refresh && this.#refusals().size > 0) await this.#writeRefusals([])
    const reply = await this.#client.send(operations.models, undefined, options)
    const { json } = reply
    // An empty list may be a temporary fault of the service.
    if (decodeModels(json).length > 0) await writeCache('models', this.#settings.cacheKey, reply.exact(), this.#io)
    return reply
  }

  /** Whether `-m` accepts a listed model, which is not an alias: `hf:` names only, without the setting `any-model`. */
  accepts(model: Pick<Model, 'id'>): boolean {
    return this.#settings.anyModel ? !isAlias(model) : model.id.startsWith('hf:')
  }

  /**
   * Whether the service has the aliases, which it need not list. With `any-model`, or names that the specification does not
   * have, it is another service: then only if it lists one.
   */
  hasAliases(models: readonly Model[]): boolean {
    if (models.some(isAlias)) return true
    return !this.#settings.anyModel && models.every(({ id }) => id.startsWith('hf:'))
  }

  /** For a choice or a price: the list as `modelsIfAvailable`, or else the cached one; only that for a request that is printed. */
  async availableModels(): Promise<Model[]> {
    const models = this.mayFetch ? await this.modelsIfAvailable() : []
    return models.length > 0 ? models : this.cachedModels()
  }

  /** The cached models, however old. Sends no request. */
  cachedModels(): Model[] {
    const cached = this.#cached()
    return cached ? decodeModels(cached.value) : []
  }

  /** Whether the service is known to refuse `stream_options`. Sends no request. */
  refusesUsageOption({ path }: Operation): boolean {
    return this.#refusals().has(path)
  }

  async rememberUsageOptionRefused({ path }: Operation): Promise<void> {
    if (this.#refusals().has(path)) return
    await this.#writeRefusals([...this.#refusals().add(path)])
  }

  #refusals(): Set<string> {
    if (this.#refusingPaths) return this.#refusingPaths
    const cached = readCache(refusals, this.#settings.cacheKey, this.#io)
    return (this.#refusingPaths = new Set(cached && this.#isFresh(cached) ? stringsIn(cached.value) : []))
  }

  #writeRefusals(paths: string[]): Promise<void> {
    return writeCache(refusals, this.#settings.cacheKey, paths, this.#io)
  }

  /** `abs`: a clock that was set back must not keep an entry forever. */
  #isFresh({ saved }: Cached): boolean {
    return Math.abs(this.#io.now() - saved) < maxAge
  }

  /** `undefined` without a cache, or if it is damaged. */
  #cached(): Cached | undefined {
    const cached = readCache('models', this.#settings.cacheKey, this.#io)
    return cached && decodeModels(cached.value).length > 0 ? cached : undefined
  }
}
