/** The context that a command's run() gets. The client, and the sandbox with --sandbox, are loaded at the first request. */

import type { Client, ServiceAccount } from './api/client.ts'
import type { Operation, JsonReply, SendOptions } from './api/operations.ts'
import { UsageError } from './errors.ts'
import { headValues, mergeBody, type BodySources } from './fields/body.ts'
import { acceptingAnyModel, flagOf, mergeRows, type Fields, type Values } from './fields/field.ts'
import type { PromptText } from './fields/prompt-file.ts'
import type { RequestVariants } from './fields/request-variants.ts'
import { globalOptions, type GlobalValues } from './fields/global-options.ts'
import type { JsonObject } from './io/json/json.ts'
import { checkCombinations, mayNameFile, parseFlags, type ArgumentRules, type RawFlag } from './fields/parse.ts'
import type { Io } from './io/io.ts'
import type { Secrets } from './io/secrets.ts'
import type { StandardInput } from './io/process/standard-input.ts'
import { Catalog } from './models/catalog.ts'
import { Notices } from './notices.ts'
import { Settings } from './settings/settings.ts'
import { loadStyle, type LoadStyle, type StyleSettings } from './terminal/style.ts'

/** A command's tables: the request's fields, and the options that are not sent. */
export interface Tables {
  readonly arguments?: readonly ArgumentRules[]
  readonly fields?: Fields
  readonly unsent?: Fields
  readonly variants?: RequestVariants
  readonly options?: Fields
}

/** The parsed command line: its positional arguments, and its flags by row name. */
export interface Invocation {
  readonly words: readonly string[]
  readonly typed: ReadonlyMap<string, RawFlag>
}

/** What is parsed, and what was typed. */
export interface CommandLine extends Invocation {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
}

export interface CommandContext<F extends Fields = Fields, O extends Fields = Fields> {
  readonly words: readonly string[]
  /** The arguments after the program's name, as typed: for a hint with a command line. */
  readonly argv: readonly string[]
  /** The request's fields: `--body`, overridden by `--param`, overridden by the flags. */
  readonly fields: Values<F> & JsonObject
  /** The fields given as flags. */
  readonly flags: Values<F>
  readonly options: Values<O> & GlobalValues
  /** That of `--template`, with the values of `--var`. */
  readonly prompt?: PromptText | undefined
  /** What its head sets, which `fields` and `options` have too. */
  readonly head?: Awaited<ReturnType<typeof headValues>> | undefined
  /** Whether the request is printed instead of sent. */
  readonly isPreview: boolean
  readonly io: Io
  readonly secrets: Secrets
  readonly settings: Settings
  readonly notices: Notices
  /** The style for a sink, by flag, environment, setting and terminal. */
  readonly loadStyle: LoadStyle
  readonly client: LazyClient
  readonly catalog: Catalog
}

/** Parses and checks the command line, and builds the command's context. */
export async function createContext(
  tables: Tables,
  commandLine: CommandLine,
  io: Io,
  secrets: Secrets,
): Promise<CommandContext> {
  const { words, typed, argv } = commandLine
  io.inputBudget.take(Buffer.byteLength(words.join(' ')), 'the arguments')
  checkCombinations(mergeRows(tables.options, globalOptions, tables.fields), tables.arguments ?? [], commandLine)
  const globals = await parseFlags(globalOptions, typed, io)
  const notices = new Notices(io.err, secrets, globals)
  const notify = (text: string): Promise<void> => notices.info(text)
  // Also with -q: a run that waits for a pipe looks as if it hangs.
  io.in.onSilence = () => void notices.warn(silenceText(io.in))
  // Before any document is read: errors that quote it mask the stored keys.
  const settings = new Settings(globals, io, secrets, notify)
  const client = new LazyClient({ settings, io, secrets, notices }, globals.sandbox === true)
  const isPreview = Boolean(typed.get('dryRun')) || Boolean(typed.get('curl'))
  // The sandbox is in this process: to ask it costs nothing.
  const catalog = new Catalog(client, settings, io, !isPreview || globals.sandbox === true)
  const reading = { ...io, notify }
  const parse = (flags: Invocation['typed']): Promise<Parsed> => parseTables(tables, flags, settings, reading)
  const preconnect = async (): Promise<void> => {
    // All flags but those being read: the connection must not be opened for a command line that is refused.
    await parse(withoutFiles(tables, typed))
    client.preconnect()
  }
  // Other commands than those with --dry-run do not send what they read.
  if (tables.options?.dryRun && !isPreview) io.inputBudget.onFirstRead = () => void preconnect().catch(() => undefined)
  try {
    const meantModel = (name: string, where: string): Promise<string> =>
      findMeantModel(name, where, tables, globals.sandbox === true && !isPreview, { catalog, notices, io })
    const model = typed.get('model')
    const flags = typeof model === 'string' ? new Map([...typed, ['model', await meantModel(model, '--model')]]) : typed
    const parsed = await parse(flags)
    const rows = { unsent: {}, ...tables, fields: parsed.rows }
    const body = await mergeBody(rows, parsed.flags, parsed.options as BodySources, notify)
    const { template, var: vars } = parsed.options as { template?: string; var?: string[] }
    if (vars && template === undefined) throw new UsageError('--var needs --template')
    const read = async (raw: string): Promise<PromptText> =>
      (await import('./fields/document.ts')).readPrompt(raw, '--template', reading)
    const prompt = template === undefined ? undefined : { ...(await read(template)), vars }
    const head = prompt && (await headValues(prompt, rows, { ...parsed.options, ...body }, meantModel))
    const options = { ...head?.options, ...parsed.options, ...globals }
    const fields = { ...head?.fields, ...body }
    for (const [name, row] of Object.entries(parsed.rows)) {
      if (row.deprecated && typed.has(name)) await notify(`${flagOf(name)} is deprecated: use ${row.deprecated}`)
    }
    const loadStyleFor: LoadStyle = (sink) => loadStyle(io, sink, styleSettings(settings))
    const given = { words, argv, prompt, head, fields, flags: parsed.flags, options, isPreview }
    return { ...given, io, secrets, settings, notices, loadStyle: loadStyleFor, client, catalog }
  } catch (error) {
    await client.close()
    throw error
  }
}

/** The flags of a command's tables. */
interface Parsed {
  readonly options: Values<Fields>
  /** Those of the request. */
  readonly rows: Fields
  readonly flags: Values<Fields>
}

/** @throws UsageError for the first flag that is not accepted, or that belongs to another variant of the request. */
async function parseTables(tables: Tables, typed: Invocation['typed'], settings: Settings, io: Io): Promise<Parsed> {
  const { fields = {}, variants } = tables
  const options = await parseFlags(tables.options ?? {}, typed, io)
  // An option may have the name of a field without a flag.
  const given = new Map([...typed].filter(([name]) => Object.hasOwn(fields, name)))
  const specified = variants
    ? (await import('./fields/request-variants.ts')).variantRows(variants, options, given)
    : fields
  // Other commands do not read the settings here: syn config edit works with an invalid file.
  const hasModel = Object.values(specified).some(({ kind }) => kind === 'model')
  const rows = hasModel && settings.anyModel ? acceptingAnyModel(specified) : specified
  const flags = await parseFlags(rows, given, io).catch(async (error: unknown) => {
    throw (await import('./fields/unchecked.ts')).withFlagHint(error, rows, tables.options?.tool !== undefined)
  })
  return { options, rows, flags }
}

/**
 * The only model of the list that a typed name is a part of, or else the name itself.
 * @param where For errors. @param isSandbox Whether the list is always asked for: that of a service only if none is cached, and
 *   the name would be refused.
 * @throws UsageError if there are several, or nobody would see which one was taken.
 */
async function findMeantModel(
  name: string,
  where: string,
  { fields: { model: row } = {} }: Tables,
  isSandbox: boolean,
  { catalog, notices, io }: Pick<CommandContext, 'catalog' | 'notices' | 'io'>,
): Promise<string> {
  if (row?.kind !== 'model' || name.startsWith('syn:')) return name
  const cached = catalog.cachedModels()
  const needsList = isSandbox || (cached.length === 0 && name.trim() !== '' && !catalog.accepts({ id: name }))
  const list = needsList && catalog.mayFetch ? await catalog.modelsIfAvailable() : cached
  if (list.length === 0) return name
  const { meantModel, onlyMeant } = await import('./models/typed-name.ts')
  const meant = meantModel(name, list, { where, catalog, isEmbedding: row.aliases === false })
  if (meant === undefined) return name
  if (!io.err.isTerminal) throw onlyMeant(name, meant, where)
  await notices.info(`using ${meant}`)
  return meant
}

function withoutFiles({ options, fields }: Tables, typed: Invocation['typed']): Invocation['typed'] {
  const rows = mergeRows(options, fields)
  return new Map([...typed].filter(([name, raw]) => rows[name] && !mayNameFile(rows[name], raw)))
}

function silenceText({ kind, isOptional }: StandardInput): string {
  if (kind === 'terminal') return 'reading standard input; end it with Ctrl-D'
  return `waiting for standard input${isOptional ? '; if it is not meant as input, use --no-stdin or < /dev/null' : ''}`
}

function styleSettings(settings: Settings): StyleSettings {
  const { value: color = 'auto', source } = settings.get('color') ?? {}
  // Not by a variable or the config file: the text that scripts read stays as it is.
  const isForced = color === 'always' && source === 'flag --color'
  return { color, theme: settings.get('theme')?.value ?? 'auto', isForced }
}

/** The API client. Its code, the base URL and the key are loaded at the first request, or while the input is read. */
export class LazyClient {
  readonly #deps: Pick<CommandContext, 'settings' | 'io' | 'secrets' | 'notices'>
  readonly #isSandbox: boolean
  readonly #clients: Client[] = []
  #closeSandbox: (() => Promise<void>) | undefined
  #connected: Promise<Client> | undefined
  /** The client for the account in the settings, before the request asks for it. */
  #known: Promise<Client | undefined> | undefined
  #isClosed = false

  constructor(deps: Pick<CommandContext, 'settings' | 'io' | 'secrets' | 'notices'>, isSandbox: boolean) {
    this.#deps = deps
    this.#isSandbox = isSandbox
  }

  /** @throws UsageError, MissingKeyError when there is no base URL or key; nothing has been sent then. */
  connected(): Promise<Client> {
    this.#connected ??= this.#isSandbox ? this.#connectSandbox() : this.#connectService()
    return this.#connected
  }

  /**
   * Opens the connection before there is a request, if address and key are known. Nothing is printed or thrown: whatever
   * is wrong, the request fails with it.
   */
  preconnect(): void {
    if (this.#isSandbox || this.#isClosed) return
    const client = this.#connected ?? (this.#known ??= this.#connectKnown())
    void client.then((known) => known?.preconnect()).catch(() => undefined)
  }

  /** Whether a request of this run succeeded. */
  get hasAnswered(): boolean {
    return this.#clients.some((client) => client.hasAnswered)
  }

  async send(operation: Operation, body?: JsonObject, options?: SendOptions): Promise<JsonReply> {
    return (await this.connected()).send(operation, body, options)
  }

  /** A client for a base URL and key that need not be in the settings. */
  async connect(account: ServiceAccount): Promise<Client> {
    const { Client: Connected } = await import('./api/client.ts')
    const client = new Connected(account, this.#deps.settings.requestLimits(), this.#deps)
    this.#clients.push(client)
    return client
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#known
    for (const client of this.#clients.toReversed()) await client.close()
    await this.#closeSandbox?.()
  }

  async #connectService(): Promise<Client> {
    const { settings } = this.#deps
    const account = await settings.account()
    return (await this.#known) ?? this.connect({ ...account, sharedAs: settings.sharedAs })
  }

  async #connectKnown(): Promise<Client | undefined> {
    try {
      const { settings } = this.#deps
      const account = settings.knownAccount()
      return account && (await this.connect({ ...account, sharedAs: settings.sharedAs }))
    } catch {
      return undefined
    }
  }

  async #connectSandbox(): Promise<Client> {
    const { io } = this.#deps
    const { startSandbox } = await import('./sandbox/server.ts')
    const sandbox = await startSandbox({ port: 0, rate: io.out.isTerminal ? undefined : 0, now: io.now })
    this.#closeSandbox = () => sandbox.close()
    return this.connect(sandbox)
  }
}
