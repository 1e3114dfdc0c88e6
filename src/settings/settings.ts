/** The settings of a run, by precedence: flag, environment, profile in the config file, default. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { advice, isSystemError, MissingKeyError, syn, UsageError } from '../errors.ts'
import type { Values } from '../fields/field.ts'
import { defaultTimeouts, type GlobalValues } from '../fields/global-options.ts'
import { checkKind } from '../fields/parse.ts'
import type { limitOptions } from '../fields/request-options.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Io } from '../io/io.ts'
import { maskedKey, type Secrets } from '../io/secrets.ts'
import { checkTransport, originOf } from './base-url.ts'
import { directoryFor } from '../io/files/directories.ts'
import { ownerOf } from '../io/files/private.ts'
import { shellWord } from '../io/text/shell-word.ts'
import {
  type ConfigFile,
  noSuchProfile,
  profileOf,
  readConfigDocument,
  type ConfigDocument,
  unknownKeys,
} from './config-file.ts'
import { validKey, runKeyCommand } from './key.ts'
import {
  checkSettingValue,
  parseSettingValue,
  type Setting,
  type SettingName,
  type SettingValue,
  settingSpec,
  settingSpecs,
  type AnySettingValue,
} from './setting-specs.ts'

export interface ResolvedSetting<V> {
  readonly value: V
  /** `flag --model`, `environment SYN_MODEL`, `profile work`, `config file` or `default`. */
  readonly source: string
}

export class Settings {
  readonly file: ConfigFile
  readonly #options: GlobalValues
  readonly #io: Io
  readonly #secrets: Secrets
  readonly #notify: (text: string) => Promise<void>
  #document: ConfigDocument | undefined
  /** Why the file is not used, once it was read. */
  unread: string | undefined

  /**
   * An invalid config file is not reported here, but by each method below that reads it, as a UsageError:
   * `syn config path` must work with an invalid file.
   */
  constructor(options: GlobalValues, io: Io, secrets: Secrets, notify: (text: string) => Promise<void>) {
    this.file = { path: join(directoryFor('config', io), 'config.json'), owner: ownerOf(io), signal: io.signal }
    this.#options = options
    this.#io = io
    this.#secrets = secrets
    this.#notify = notify
    try {
      // Read now anyway, so that stored keys are masked in errors and notices from here on.
      void this.document
      if (this.#keyCommand !== undefined) secrets.isKeyAwaited ??= true
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
    }
  }

  /** Path of the config file, whether or not it exists. */
  get path(): string {
    return this.file.path
  }

  /** Name of the current profile, whether or not it exists. */
  get profile(): string {
    return this.#find('profile')?.value as string
  }

  /** The config file's content, read once. */
  get document(): ConfigDocument {
    if (this.#document) return this.#document
    const document = this.#readDocument()
    for (const profile of Object.values(document.profiles)) {
      if (typeof profile['api-key'] === 'string') this.#secrets.add(profile['api-key'].trim())
    }
    return (this.#document = document)
  }

  /** The commands that read files, by names such as `readers.pdf`; none of an invalid config file. */
  get readers(): ReadonlyMap<string, string> {
    const readers = Object.entries(this.#document?.readers ?? {})
    return new Map(readers.map(([extension, command]) => [`readers.${extension}`, String(command)]))
  }

  /** Says which keys of the config file are unknown; nothing of an invalid file. */
  unknownKeys(): string[] {
    return this.#document ? unknownKeys(this.#document, this.path) : []
  }

  /** A closed home, as of services, or none, is needed only for what the environment does not have. Nothing is kept then. */
  #readDocument(): ConfigDocument {
    const { env } = this.#io
    const { profile = env.SYN_PROFILE, baseUrl = env.SYN_BASE_URL, sandbox } = this.#options
    const isNeeded = Boolean(profile) || sandbox || !env.SYN_API_KEY || !baseUrl
    let reason = 'no home directory: HOME is not set, and this user has no entry in passwd'
    try {
      const document = readConfigDocument(this.file, 'read')
      if (isNeeded || env.HOME || !this.path.startsWith('/dev/null/')) return document
    } catch (error) {
      if (isNeeded || !(error instanceof UsageError && isSystemError(error.cause))) throw error
      reason = error.message
    }
    this.unread = `${reason}; going on without settings, and saving nothing`
    return { profiles: { [settingSpecs.profile.field.default]: { save: false } } }
  }

  /** The value to show: a secret's is masked. @throws UsageError if the current profile does not exist. */
  get<Name extends SettingName>(name: Name): ResolvedSetting<SettingValue<Name>> | undefined {
    this.checkProfile()
    return this.find(name)
  }

  /** Does what `get` does, but the current profile need not exist: `syn login --profile new` creates it. */
  find<Name extends SettingName>(name: Name): ResolvedSetting<SettingValue<Name>> | undefined {
    const found = this.#find(name)
    const { secret, shown }: Setting = settingSpecs[name]
    if (found && secret) found.value = maskedKey
    else if (found && shown) found.value = shown(found.value as string)
    return found as ResolvedSetting<SettingValue<Name>> | undefined
  }

  /** For commands that change what is stored. @throws UsageError with --sandbox, which uses nothing of it. */
  checkMayChange(): void {
    if (!this.#options.sandbox) return
    throw new UsageError('the sandbox has no stored settings', {
      hint: 'leave out --sandbox to change those of a profile',
    })
  }

  /** @throws UsageError if the current profile does not exist. */
  checkProfile(): void {
    if (this.#options.sandbox) return
    const { profile, document } = this
    if (profile === settingSpecs.profile.field.default || profileOf(document, profile)) return
    throw noSuchProfile(profile, document)
  }

  /** Origin and path prefix, without a trailing slash. @throws UsageError if none is set, or it would get the key unencrypted. */
  baseUrl(): string {
    const baseUrl = this.get('base-url')?.value
    if (baseUrl === undefined) {
      throw new UsageError('no base URL is set', {
        hint: [advice`use ${syn('login')} to store one`, '--base-url or SYN_BASE_URL set it for one run'],
      })
    }
    checkTransport(baseUrl, this.#isHttpAllowed(baseUrl))
    return baseUrl
  }

  /**
   * The base URL and the key of requests. Runs the key command, if there is one.
   * @throws as `baseUrl`; MissingKeyError if there is no key, or it was stored for another base URL than the current one.
   */
  async account(): Promise<{ baseUrl: string; key: string }> {
    const baseUrl = this.baseUrl()
    const known = this.knownAccount()
    if (known?.isStored) await this.#warnOfReaders()
    if (known) {
      this.#secrets.add(known.key)
      return known
    }
    const command = this.#keyCommand
    if (command === undefined) {
      throw new MissingKeyError(`no API key is stored for profile ${this.profile}`, {
        hint: [advice`use ${syn('login')} to store one`, 'SYN_API_KEY sets it for one run'],
      })
    }
    this.#checkOrigin()
    const key = await runKeyCommand(command, this.#io)
    this.#secrets.add(key)
    this.#secrets.isKeyAwaited = false
    return { baseUrl, key: validKey(key, 'key command') }
  }

  /** The account; `undefined` if there is no key, or it comes from a key command, which is not run. */
  knownAccount(): { baseUrl: string; key: string; isStored: boolean } | undefined {
    const key = this.#find('api-key')
    const isStored = key?.source.startsWith('environment') === false
    if (!key || this.#keyCommand !== undefined) return undefined
    if (isStored) this.#checkOrigin()
    return { baseUrl: this.baseUrl(), key: key.value as string, isStored }
  }

  /** Whether names of models other than `hf:` and aliases are accepted. */
  get anyModel(): boolean {
    return this.#find('any-model')?.value === true
  }

  /** Cache key for replies of the service; `undefined` if they must not be cached, as those of the sandbox, which has no URL. */
  get cacheKey(): string | undefined {
    return this.find('base-url')?.value
  }

  /** What requests go to: `sandbox`, or the origin of the base URL; `undefined` if none is set. */
  get service(): string | undefined {
    return this.#options.sandbox ? 'sandbox' : originOf(this.cacheKey)
  }

  /** What a conversation belongs to: the service, and the profile; `sandbox`, or none if the key is of the environment. */
  get accountName(): { service: string | undefined; profile: string | undefined } {
    const { service, profile } = this
    if (this.#options.sandbox) return { service, profile: service }
    return { service, profile: this.#io.env.SYN_API_KEY ? undefined : profile }
  }

  styleSettings() {
    const { value: color = 'auto', source } = this.get('color') ?? {}
    // A variable or the config file forces nothing: the text that scripts read stays as it is.
    const isForced = color === 'always' && source === 'flag --color'
    return { color, theme: this.get('theme')?.value ?? 'auto', isForced }
  }

  /** Timeouts in milliseconds, and the number of retries. */
  requestLimits(): { firstByteTimeout: number; idleTimeout: number; retries: number } {
    const timeout = this.#find('timeout')?.value as number | undefined
    return {
      firstByteTimeout: (timeout ?? defaultTimeouts.firstByte) * 1000,
      idleTimeout: (timeout ?? defaultTimeouts.silence) * 1000,
      retries: this.#find('retries')?.value as number,
    }
  }

  /** What to ask if the model is gone or overloaded, or cannot count. */
  fallback({ fallback }: { fallback?: boolean | readonly string[] }): boolean | readonly string[] {
    return fallback ?? this.get('fallback')?.value ?? false
  }

  /** How long to wait for a used-up quota, in milliseconds, if somebody wants that. @throws UsageError if --max-wait is in vain. */
  maxWait({ onLimit, maxWait }: Values<typeof limitOptions>, isBatch = false): number | undefined {
    const waits = (onLimit ?? (this.#io.err.isTerminal && this.get('on-limit')?.value)) === 'wait'
    if (maxWait === undefined) return waits ? 6 * 3_600_000 : undefined
    if (waits || (isBatch && onLimit === undefined)) return maxWait
    throw new UsageError('--max-wait needs --on-limit wait')
  }

  /** The sandbox ignores account and models of the config file and the environment, which it does not know. */
  #find(name: SettingName): { value: AnySettingValue; source: string } | undefined {
    const spec = settingSpec(name, settingSpecs[name].field.kind === 'model' && this.anyModel)
    const flag = spec.option && this.#options[spec.option]
    if (flag !== undefined) return { value: checkSettingValue(spec, flag, `--${name}`), source: `flag --${name}` }
    const isReplaced = this.#options.sandbox && spec.ofAccount
    for (const { name: variable, convert } of isReplaced ? [] : (spec.variables ?? [])) {
      const text = this.#io.env[variable]
      // An empty variable counts as unset.
      if (!text) continue
      return { value: parseSettingValue(spec, convert?.(text) ?? text, variable), source: `environment ${variable}` }
    }
    const stored = this.#stored(name, spec)
    if (stored !== undefined) {
      const source = name === 'profile' ? 'config file' : `profile ${this.profile}`
      return { value: checkSettingValue(spec, stored, this.path), source }
    }
    // The spec that takes any model would take the description of a default for a name.
    const { field }: Setting = settingSpecs[name]
    // A default may be a description such as `on a terminal`.
    if (field.default === undefined || checkKind(field, field.default)) return undefined
    return { value: field.default, source: 'default' }
  }

  #stored(name: SettingName, { ofAccount }: Setting): unknown {
    const { sandbox } = this.#options
    if (sandbox && ofAccount) return undefined
    try {
      return (name === 'profile' ? this.document : this.#section)?.[name]
    } catch (error) {
      // The sandbox needs nothing of the file.
      if (sandbox && error instanceof UsageError) return undefined
      throw error
    }
  }

  get #section(): JsonObject | undefined {
    return profileOf(this.document, this.profile)
  }

  /** `undefined` if the key is known without it. */
  get #keyCommand(): string | undefined {
    if (this.#options.sandbox || this.#io.env.SYN_API_KEY) return undefined
    const command = this.#section?.['key-command']
    return typeof command === 'string' ? command : undefined
  }

  /** Other users who could change the file would have been refused. */
  async #warnOfReaders(): Promise<void> {
    const { path } = this
    const isPrivate =
      this.#io.user === undefined || ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o044) === 0
    if (isPrivate) return
    await this.#notify(
      `other users can read ${path}, which holds the API key; to stop that: chmod 600 ${shellWord(path)}`,
    )
  }

  /** `allow-http` of a profile applies to its own base URL only. */
  #isHttpAllowed(baseUrl: string): boolean {
    const { allowHttp = false } = this.#options
    if (allowHttp || this.#find('allow-http')?.value !== true) return allowHttp
    const own = originOf(this.#section?.['base-url'])
    return own === undefined || own === originOf(baseUrl)
  }

  /** A stored key is sent only to the base URL it was stored with. */
  #checkOrigin(): void {
    const own = originOf(this.#section?.['base-url'])
    const requested = originOf(this.baseUrl())
    if (own === requested) return
    const owner = own === undefined ? 'it was stored without a base URL' : `it is for ${own}`
    throw new MissingKeyError(`refusing to send the API key of profile ${this.profile} to ${requested}: ${owner}`, {
      hint: advice`set SYN_API_KEY for one run, or use ${syn('login --profile NAME')} to store a key for that URL`,
    })
  }
}
