/** The context that a command's run() gets. The client, and the sandbox with --sandbox, are loaded at the first request. */

import { LazyClient } from './api/lazy-client.ts'
import { mergeSpecs, type Fields, type Values } from './fields/field.ts'
import { globalOptions, type GlobalValues } from './fields/global-options.ts'
import { checkCombinations, parseFlags } from './fields/parse.ts'
import { checkTables, readTables, type CommandLine, type Tables, type TableValues } from './fields/tables.ts'
import type { Io } from './io/io.ts'
import { createReaders } from './io/process/readers.ts'
import type { Secrets } from './io/secrets.ts'
import { Catalog } from './models/catalog.ts'
import { resolveModelName } from './models/choose.ts'
import { Notices } from './notices.ts'
import { Settings } from './settings/settings.ts'
import { loadStyle, type LoadStyle } from './terminal/style.ts'

/** What every run has. */
interface Services {
  readonly io: Io
  readonly secrets: Secrets
  readonly settings: Settings
  readonly notices: Notices
  /** The style for a sink, by flag, environment, setting and terminal. */
  readonly loadStyle: LoadStyle
  readonly client: LazyClient
  readonly catalog: Catalog
}

export interface CommandContext<F extends Fields = Fields, O extends Fields = Fields>
  extends Services, TableValues<F, O>, Omit<CommandLine, 'typed'> {
  readonly options: Values<O> & GlobalValues
  /** Whether the request is printed instead of sent. */
  readonly isPreview: boolean
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
  checkCombinations(mergeSpecs(tables.options, globalOptions, tables.fields), tables.arguments ?? [], commandLine)
  const globals = await parseFlags(globalOptions, typed, io)
  const isPreview = Boolean(typed.get('dryRun')) || Boolean(typed.get('curl'))
  const services = createServices(globals, isPreview, io, secrets)
  const { client, settings, notices } = services
  const asksSandbox = globals.sandbox === true && !isPreview
  const reading = {
    io: { ...io, notify: (text: string) => notices.info(text) },
    settings,
    resolveModelName: (name: string, where: string) =>
      resolveModelName(name, where, tables.fields?.model, asksSandbox, services),
  }
  const preconnect = async (): Promise<void> => {
    // The connection must not be opened for a command line that is refused.
    await checkTables(tables, typed, reading)
    client.preconnect()
  }
  // Other commands than those with --dry-run do not send what they read.
  if (tables.options?.dryRun && !isPreview) io.inputBudget.onFirstRead = () => void preconnect().catch(() => undefined)
  if (settings.unread !== undefined) await notices.info(settings.unread)
  if (io.err.isTerminal) for (const text of settings.unknownKeys()) await notices.info(text)
  try {
    const values = await readTables(tables, typed, reading)
    return { ...services, ...values, options: { ...values.options, ...globals }, words, argv, isPreview }
  } catch (error) {
    await client.close()
    throw error
  }
}

/** None of them asks the service yet. */
function createServices(globals: GlobalValues, isPreview: boolean, io: Io, secrets: Secrets): Services {
  const notices = new Notices(io.err, secrets, globals)
  const notify = (text: string): Promise<void> => notices.info(text)
  // Said with -q too: a run that waits for a pipe looks as if it hangs.
  io.in.onSilence = (warning) => void notices.warn(warning)
  // Before any document is read: errors that quote it mask the stored keys.
  const settings = new Settings(globals, io, secrets, notify)
  const sandbox = globals.sandbox ? () => startSandbox(io) : undefined
  const client = new LazyClient({ settings, io, secrets, notices }, sandbox)
  notices.voice = { ...globals, hasAnswered: () => client.hasAnswered }
  // The sandbox is in this process: to ask it costs nothing.
  const catalog = new Catalog(client, settings, io, !isPreview || globals.sandbox === true)
  const loadStyleFor: LoadStyle = (sink) => loadStyle(io, sink, settings.styleSettings())
  const isAccessible = (): boolean => settings.find('accessible')?.value === true
  const isPlain = (): boolean => io.env.TERM === 'dumb' || isAccessible()
  const ownIo = { ...io, readers: createReaders(settings.readers, io, notify), isAccessible, isPlain }
  return { io: ownIo, secrets, settings, notices, loadStyle: loadStyleFor, client, catalog }
}

async function startSandbox({ out, now }: Io) {
  const { startSandbox } = await import('./sandbox/server.ts')
  return startSandbox({ port: 0, rate: out.isTerminal ? undefined : 0, now })
}
