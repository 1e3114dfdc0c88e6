/** What is in force for one run: flag, then environment, then the profile in the config file, then the default. */

import { join } from 'node:path'
import { MissingKeyError, UsageError } from '../errors.ts'
import { defaultTimeouts, type GlobalValues } from '../fields/global-options.ts'
import type { JsonObject } from '../io/json.ts'
import { suggestion } from '../fields/nearest.ts'
import type { Io } from '../io/io.ts'
import { maskedKey, type Secrets } from '../io/secrets.ts'
import { checkTransport, originOf } from './base-url.ts'
import { configDirectory } from '../io/directories.ts'
import { profileOf, readDocument, type Document } from './config-file.ts'
import { checkKey, runKeyCommand } from './key.ts'
import {
  checkValueOf,
  defaultOf,
  parseValue,
  type Setting,
  type SettingName,
  type SettingValue,
  table,
  type Value,
} from './rows.ts'

export interface Found<V> {
  readonly value: V
  /** `flag --model`, `environment SYN_MODEL`, `profile work`, `config file` or `default`. */
  readonly source: string
}

export class Settings {
  /** Where the config file is, or would be. */
  readonly path: string
  readonly #options: GlobalValues
  readonly #io: Io
  readonly #secrets: Secrets
  #document: Document | undefined
  #key: Promise<string> | undefined

  /**
   * A damaged config file is told by the questions below, each of which may throw a UsageError, and not yet here:
   * `syn config edit` must work with one too.
   */
  static load(options: GlobalValues, io: Io, secrets: Secrets): Settings {
    const settings = new Settings(options, io, secrets)
    try {
      // Read at once all the same: what is said from here on must not show a stored key.
      void settings.document
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
    }
    return settings
  }

  private constructor(options: GlobalValues, io: Io, secrets: Secrets) {
    this.path = join(configDirectory(io), 'config.json')
    this.#options = options
    this.#io = io
    this.#secrets = secrets
  }

  /** Name of the profile in use, whether or not anything is stored under it. */
  get profile(): string {
    return this.#find('profile')?.value as string
  }

  /** What the config file holds, read once. */
  get document(): Document {
    this.#document ??= this.#readDocument()
    return this.#document
  }

  /**
   * A secret's value is masked.
   * @throws UsageError for a profile that was named but is not stored.
   */
  get<Name extends SettingName>(name: Name): Found<SettingValue<Name>> | undefined {
    this.checkProfile()
    return this.find(name)
  }

  /** As `get`, but a profile that was named need not be stored: `syn login --profile new` makes it. */
  find<Name extends SettingName>(name: Name): Found<SettingValue<Name>> | undefined {
    const found = this.#find(name)
    if (found && (table[name] as Setting).secret) found.value = maskedKey
    return found as Found<SettingValue<Name>> | undefined
  }

  /** @throws UsageError for a profile that was named but is not stored. */
  checkProfile(): void {
    if (this.#options.sandbox) return
    const { profile, document } = this
    if (profile === table.profile.field.default || profileOf(document, profile)) return
    const names = Object.keys(document.profiles)
    throw new UsageError(`there is no profile ${JSON.stringify(profile)}${suggestion(profile, names)}`, {
      hint: `to store one: syn login --profile ${profile}`,
    })
  }

  /**
   * Origin and prefix, without a trailing slash.
   * @throws UsageError when none is set, or the key would travel to it readable for everyone.
   */
  baseUrl(): string {
    const baseUrl = this.get('base-url')?.value
    if (baseUrl === undefined) {
      throw new UsageError('no base address is set', {
        hint: 'syn login stores one; --base-url or SYN_BASE_URL set it',
      })
    }
    checkTransport(baseUrl, this.#isHttpAllowed(baseUrl))
    return baseUrl
  }

  /**
   * Learns the key, and adds it to the secrets.
   * @throws MissingKeyError when there is none, or it is for another address than the one in force.
   */
  apiKey(): Promise<string> {
    this.#key ??= this.#readKey()
    return this.#key
  }

  /** What the answers of a service are cached under; nothing where caching them makes no sense. */
  get cacheKey(): string | undefined {
    return this.#options.sandbox ? undefined : this.find('base-url')?.value
  }

  /** The base address as a request that is shown instead of sent names it; nothing when there is none yet. */
  get shownBaseUrl(): string | undefined {
    return this.#options.sandbox ? undefined : this.get('base-url')?.value
  }

  /** How long a request may take, in milliseconds, and how often it is tried again. */
  requestLimits(): { firstByteTimeout: number; idleTimeout: number; retries: number } {
    const timeout = this.#find('timeout')?.value as number | undefined
    return {
      firstByteTimeout: (timeout ?? defaultTimeouts.firstByte) * 1000,
      idleTimeout: (timeout ?? defaultTimeouts.silence) * 1000,
      retries: this.#find('retries')?.value as number,
    }
  }

  /** The sandbox needs nothing that is stored: neither an account nor a model that only the service knows. */
  #find(name: SettingName): { value: Value; source: string } | undefined {
    const row: Setting = table[name]
    const flag = row.option && this.#options[row.option]
    if (flag !== undefined) return { value: checkValueOf(row, flag, `--${name}`), source: `flag --${name}` }
    for (const { name: variable, meaning } of row.variables ?? []) {
      const text = this.#io.env[variable]
      // Set to nothing counts as not set.
      if (!text) continue
      return { value: parseValue(row, meaning?.(text) ?? text, variable), source: `environment ${variable}` }
    }
    const stored = this.#options.sandbox ? undefined : (row.top ? this.document : this.#section)?.[name]
    if (stored !== undefined) {
      const source = row.top ? 'config file' : `profile ${this.profile}`
      return { value: checkValueOf(row, stored, this.path), source }
    }
    const usual = defaultOf(row)
    return usual === undefined ? undefined : { value: usual, source: 'default' }
  }

  get #section(): JsonObject | undefined {
    return profileOf(this.document, this.profile)
  }

  async #readKey(): Promise<string> {
    const given = this.#find('api-key')
    const command = this.#section?.['key-command']
    if (given?.source.startsWith('environment')) return this.#learn(given.value as string, 'SYN_API_KEY')
    if (!given && command === undefined) {
      throw new MissingKeyError(`no API key is stored for profile ${this.profile}`, {
        hint: 'syn login stores one; SYN_API_KEY sets it for one run',
      })
    }
    this.#checkOrigin()
    if (typeof command !== 'string') return this.#learn(given?.value as string, this.path)
    return this.#learn(await runKeyCommand(command, this.#io), 'key command')
  }

  #learn(text: string, where: string): string {
    this.#secrets.add(text)
    return checkKey(text, where)
  }

  /** What a profile allows, it allows for its own address. */
  #isHttpAllowed(baseUrl: string): boolean {
    const { allowHttp = false } = this.#options
    if (allowHttp || this.#find('allow-http')?.value !== true) return allowHttp
    const own = originOf(this.#section?.['base-url'])
    return own === undefined || own === originOf(baseUrl)
  }

  /** A stored key goes to the address it was stored with, and nowhere else. */
  #checkOrigin(): void {
    const own = originOf(this.#section?.['base-url'])
    const asked = originOf(this.baseUrl())
    if (own === asked) return
    const bound = own === undefined ? 'is not bound to an address' : `is for ${own}`
    throw new MissingKeyError(`the key of profile ${this.profile} ${bound}; it is not sent to ${asked}`, {
      hint: 'set SYN_API_KEY for one run, or store a key for that address: syn login --profile NAME',
    })
  }

  #readDocument(): Document {
    const document = readDocument(this.path)
    for (const profile of Object.values(document.profiles)) {
      if (typeof profile['api-key'] === 'string') this.#secrets.add(profile['api-key'].trim())
    }
    return document
  }
}
