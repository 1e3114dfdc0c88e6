import { toChatMessage } from '../api/chat/messages.ts'
import { dialects } from '../api/dialects.ts'
import { apiOption, defaultApi, requestFields, requestVariants } from '../api/api-option.ts'
import type { ChatTools } from '../answer/tool-turns.ts'
import { ask, limitsOf } from '../answer/ask.ts'
import { loadTools } from '../answer/load-tools.ts'
import { readResponseFormat } from '../answer/response-format.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { advice, FailedError, StatusError, syn, withAddedHint } from '../errors.ts'
import { hintWords } from '../hint-words.ts'
import { safe, sanitizeName } from '../io/text/safe-text.ts'
import type { Fields } from '../fields/field.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import {
  answerOptions,
  formatOptions,
  inputOptions,
  promptOptions,
  repairOption,
  requestOptions,
  sessionOptions,
  toolOptions,
} from '../fields/request-options.ts'
import { noticeFileName, readConversation } from '../input/prompt.ts'
import { standardStream } from '../io/files/output.ts'
import { type NewTurn, openSession } from '../conversation/session.ts'
import { openStore } from '../conversation/store.ts'

type ChatContext = CommandContext<typeof requestFields, typeof chatOptions>

const chatOptions = {
  api: { ...apiOption, help: 'API to use; a conversation can continue in either' },
  ...promptOptions,
  ...inputOptions,
  from: {
    kind: 'texts',
    completes: 'file',
    patterns: true,
    placeholder: 'PATH',
    help: 'Send the parts of a file, folder or pattern that are nearest to the prompt, so that the answer can name the lines; repeatable',
  },
  ...formatOptions,
  ...repairOption,
  ...toolOptions,
  ...sessionOptions,
  ...answerOptions,
  ...requestOptions,
  dryRun: {
    ...requestOptions.dryRun,
    help: `${requestOptions.dryRun.help}; --from embeds what it must, with address and key, all the same`,
  },
} as const satisfies Fields

export default defineCommand({
  description:
    'Send a prompt to a model and print the answer as it arrives. On a terminal without a prompt, start an interactive ' +
    'chat. The answer goes to stdout; notices, reasoning, and errors go to stderr. Conversations on a terminal are saved ' +
    'on this machine, unless --no-save or the save setting turns this off: -c continues the latest, and syn sessions lists ' +
    'them.',
  arguments: [{ name: 'prompt', help: 'Prompt, or - for stdin', many: true }],
  fields: requestFields,
  variants: requestVariants,
  options: chatOptions,
  examples: [
    ['Ask a question', 'syn chat "Say hello in three languages"'],
    ['Summarize a file', 'syn chat "Summarize" < notes.txt'],
    ['Continue the latest conversation', 'syn chat -c "And in French?"'],
    ['Start an interactive chat', 'syn chat'],
    ['Ask about an image', 'syn chat -i photo.jpg "What is this?"'],
    ['Answer from a folder, with places', 'syn chat --from docs "How do I rotate the key?"'],
    ['Save only the code', 'syn chat -x "A shell script that renames *.jpeg to *.jpg" > rename.sh'],
    ['Let the model run a tool of tools.json', 'syn chat -T weather "Do I need a coat in Oslo?"'],
    ['Get JSON that matches a schema', 'syn chat --schema person.json "Invent a person" | jq .name'],
  ],

  async run(context) {
    const prepared = await prepare(context)
    if (isInteractive(context)) await startChat(prepared, context)
    else await askOnce(prepared, context)
  },
})

type Prepared = Awaited<ReturnType<typeof prepare>>

/** What the interactive chat and a one-shot prompt share. */
async function prepare(context: ChatContext) {
  const { options, fields, settings, io, notices } = context
  const toolRunner = await loadTools(context, isInteractive(context))
  const dialect = dialects[options.api ?? defaultApi]
  const format = await readResponseFormat(options, fields, notices)
  const isOnTerminal = io.out.isTerminal && standardStream(options.output) === 'out'
  const isSaved = isOnTerminal && (settings.get('save')?.value ?? true)
  let unsaved: FailedError | undefined
  // Only if it was asked for, the run fails; the chat reports it at once and goes on.
  const isRequested = options.save ?? (options.continue || options.session !== undefined)
  const onUnsaved = (text: string): void => void (unsaved = new FailedError(text))
  const session = await openSession(
    // A request that is only printed begins no conversation.
    context.isPreview ? { ...options, save: false } : options,
    openStore(context, {
      account: settings.accountName,
      ...(isRequested && !isInteractive(context) && { onUnsaved }),
    }),
    isSaved,
  )
  if (!context.isPreview && !isInteractive(context)) await session.settle(context)
  // Said with -q too: it is about where the user's words go.
  if (session.accountWarning !== undefined) await notices.warn(session.accountWarning)
  const { system, messages, others } = dialect.fromFields(fields)
  const otherFields: JsonObject = { ...others, ...format.fields }
  return {
    dialect,
    session,
    toolRunner,
    /** `undefined` if it does not change. */
    system: options.system?.join('\n\n') ?? system,
    /** What --messages or --body has. */
    messages,
    /** The other fields of each request. */
    fields: otherFields,
    from: options.from ?? [],
    wantsPlaces: !(
      format.schema ??
      (options.jsonObject || options.extract || options.extractLast || fields.response_format)
    ),
    limits: await limitsOf(context),
    check: format.schema?.check,
    repairs: options.repair,
    /** Why the conversation was not saved, if that was asked for. */
    unsaved: () => unsaved,
  }
}

async function startChat(prepared: Prepared, context: ChatContext): Promise<void> {
  const { model: _model, ...fields } = prepared.fields
  const { reasoning = false, raw = false, usage = false } = context.options
  const { runChat } = await import('../chat/chat.ts')
  const view = { showsReasoning: reasoning, isRaw: raw, showsUsage: usage }
  const tools: ChatTools = { options: context.options, offered: undefined, failed: new Map() }
  await using _tools = { [Symbol.asyncDispose]: async () => tools.offered?.close() }
  const { savedId } = await runChat({ ...prepared, ...view, context, model: context.fields.model, fields, tools })
  if (savedId !== undefined && !context.notices.isQuiet) await sayHowToContinue(savedId, context)
}

/** Names the command, with what of the account is no setting of the config file. */
async function sayHowToContinue(id: string, { io, options, settings, loadStyle }: ChatContext): Promise<void> {
  if (!io.err.isTerminal) return
  const { value: profile = '', source = '' } = settings.find('profile') ?? {}
  const account = source.startsWith('environment') ? { ...options, profile } : options
  const command = syn(`chat --session ${id}${options.sandbox ? ' --sandbox' : ''}`)
  const text = `to continue: ${hintWords(command, account)}`
  await io.err.write(safe`${(await loadStyle(io.err)).dim(sanitizeName(text))}\n`)
}

async function askOnce(prepared: Prepared, context: ChatContext): Promise<void> {
  const { dialect, session, system, fields, limits, check, repairs, toolRunner } = prepared
  const { words, options, io, notices } = context
  const sources = {
    ...context,
    hasMessages: session.conversation.awaitsAnswer,
    example: 'syn chat "Say hello in three languages"',
  }
  await noticeFileName(words, options, io, (text) => notices.info(text))
  const messages = await readConversation(prepared.messages, sources, toChatMessage, io)
  // That of a prompt holds for this run only.
  let turn: NewTurn = { system: context.head?.options.system ? undefined : system, messages }
  if (session.conversation.unanswered && turn.messages.length > 0) {
    await notices.info('the last message has no answer: this prompt replaces it; without a prompt it is sent again')
  }
  if (prepared.from.length > 0) {
    const { withSources } = await import('../chat/sources.ts')
    turn = await withSources(turn, { ...prepared, model: fields.model }, context)
  }
  const request = (next: NewTurn): JsonObject => {
    const conversation = session.messagesWith({ ...next, system: system ?? next.system }, dialect)
    return { ...dialect.toFields(conversation), stream: true, ...fields }
  }
  const shared = { lastModel: session.conversation.lastModel, ...limits, ...(check && { check, repairs }) }
  using _sign = session.signOfLife()
  try {
    const record = (session.isSaved || turn.sources) && { record: (model: Json) => session.record(turn, model) }
    await (toolRunner
      ? toolRunner.askOnceWithTools({ ...shared, dialect, session, turn, request }, options, context)
      : ask({ ...shared, ...record, operation: dialect.operation, request: request(turn) }, options, context))
  } catch (error) {
    const failure = prepared.unsaved()
    if (failure) await notices.warn(failure.message)
    const id = session.conversation.answeredPath().length > 0 ? session.savedId : undefined
    if (id === undefined || !(error instanceof StatusError) || !error.isTooLong) throw error
    throw withAddedHint(error, advice`in ${syn(`chat --session ${id}`)}, /compact shortens the conversation`)
  }
  const notice = context.isPreview ? undefined : session.placesNotice
  if (notice !== undefined) await notices.info(notice)
  const failure = prepared.unsaved()
  if (failure) throw failure
}

/** Whether stdin and stdout are terminals, and neither input nor an output format is given. */
function isInteractive({ words, fields, options, isPreview, io }: ChatContext): boolean {
  const { template, file, image, stdin, output, json, jsonl, extract, extractLast } = options
  const hasInput = [fields.messages, template, file, image, stdin, output].some((one) => one !== undefined)
  const isOneShot = [isPreview, json, jsonl, extract, extractLast].some(Boolean)
  return io.in.kind === 'terminal' && io.out.isTerminal && words.length === 0 && !hasInput && !isOneShot
}
