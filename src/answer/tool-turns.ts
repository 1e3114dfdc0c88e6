/** Runs the tools that answers call: each answer with calls is followed by their results, until an answer calls nothing. */

import type { Dialect } from '../api/dialects.ts'
import type { Image } from '../api/image.ts'
import { takesImages } from '../api/models.ts'
import type { CommandContext } from '../context.ts'
import type { NewTurn, Session } from '../conversation/session.ts'
import { callsIn, maxResultImages, resultImagesMessage } from '../conversation/message.ts'
import { CutShortError, errorMessage, UsageError } from '../errors.ts'
import type { Fields, Values } from '../fields/field.ts'
import { parseExactJson } from '../fields/numbers.ts'
import { cannotBeCombined, choicesText, invalidValue } from '../fields/problem.ts'
import type { inputOptions, toolOptions } from '../fields/request-options.ts'
import { append } from '../io/arrays.ts'
import { complete, openTarget } from '../io/files/output.ts'
import type { Io } from '../io/io.ts'
import { isObject, type JsonObject, objectsIn } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import { quote, writeJsonLines } from '../io/json/print.ts'
import { askKey, withTerminal } from '../io/process/question.ts'
import { pluralize } from '../io/text/plural.ts'
import { shellWord } from '../io/text/shell-word.ts'
import { linesOf, noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { Answer, type ToolCall } from '../stream/answer.ts'
import type { OpenTools } from '../tools/open-tools.ts'
import type { ToolResult } from '../tools/tool.ts'
import { withSpinner } from '../terminal/spinner.ts'
import { cutTo } from '../terminal/width.ts'
import { surelyFittingRows } from '../terminal/wrapped-width.ts'
import { ask, type AskContext, type AskOptions, type Presentation } from './ask.ts'
import type { Meter } from './meter.ts'
import { notify } from './notify.ts'
import { askAboutCall, type ToolUser } from './tool-question.ts'

export type ToolFields = typeof toolOptions & Pick<typeof inputOptions, 'stdin'>
type ToolOptions = Values<ToolFields>

/** The tools of a chat, which may offer more later. */
export interface ChatTools {
  readonly options: ToolOptions
  /** `undefined` until the first is named: nothing of tools/ is loaded before. */
  offered: OpenTools | undefined
  /** Why the chat began without what is named. */
  readonly failed: Map<string, string>
}

interface ToolTurnOptions extends Omit<AskOptions, 'operation' | 'request' | 'record' | 'step'> {
  readonly dialect: Dialect
  readonly session: Session
  readonly turn: NewTurn
  readonly offered: OpenTools
  /** The request that continues the conversation with a turn, without tools. */
  request(turn: NewTurn): JsonObject
  readonly user: ToolUser
}

/** Starts the tools that the options name, asks with them, and ends them. @throws as `openTools` and `askWithTools`. */
export async function askOnceWithTools(
  question: Omit<ToolTurnOptions, 'offered' | 'user'>,
  presentation: Presentation,
  context: CommandContext<Fields, ToolFields>,
): Promise<void> {
  const { options, isPreview, io, notices } = context
  // Again: the prompt may have been read from the terminal.
  if (!isPreview) checkCanAsk(options, io)
  const asking = withTerminal(io, options.stdin !== false)
  await using offered = await startTools(context)
  const user: ToolUser = {
    scope: 'run',
    sink: io.err,
    askKey: async (text, keys) => {
      if (asking) return askKey(text, keys, asking)
      // A tool that was allowed has changed.
      await notices.info(`${text.split('\n')[0]}: nobody can be asked`)
      return 'n'
    },
    notify: (text) => notices.info(text),
  }
  await refreshTools(offered, undefined, context)
  await askWithTools({ ...question, offered, user }, presentation, context)
}

/** Starts the tools that the options name. @throws as `openTools`. */
async function startTools(context: CommandContext<Fields, typeof toolOptions>): Promise<OpenTools> {
  const { openTools } = await import('../tools/open-tools.ts')
  return openTools(context.options, context, (name, start) =>
    withSpinner(safe`starting ${sanitizeName(name)}`, context, () => start(context.io.signal)),
  )
}

/** Lets servers change their tools, and names one that takes a while. @throws the reason of the signal. */
export function refreshTools(offered: OpenTools, signal: AbortSignal | undefined, context: AskContext): Promise<void> {
  return offered.refresh(signal, (name, read) =>
    withSpinner(safe`asking ${sanitizeName(name)} for its tools`, context, read),
  )
}

/**
 * Asks, and runs the tools that answers call. Each request and its answer are a turn of the conversation.
 * @throws as `ask`, and CutShortError when the last answer allowed calls tools, too.
 */
export async function askWithTools(options: ToolTurnOptions, view: Presentation, context: AskContext): Promise<void> {
  const { dialect, offered } = options
  const target = await openTarget(context.isPreview ? undefined : view.output, context.io)
  await complete(target, async () => {
    let { turn } = options
    let before: Meter | undefined
    for (let step = 1; ; step++) {
      before = await ask({ ...questionOf(turn, options), step: { target, before } }, view, context)
      if (!before?.answer.callsTools) return
      if (step >= offered.maxSteps) {
        if (view.usage) await context.notices.summary(await before.summary(context.catalog))
        throw new CutShortError(`no answer after ${pluralize(step, 'request')}: the model calls more tools`, {
          hint: 'raise the limit with --max-steps',
        })
      }
      const messages = await resultsOf(options, context, before)
      if (view.jsonl) await writeJsonLines(objectsIn(dialect.toFields(messages).messages), target)
      turn = { messages }
    }
  })
}

/**
 * The next request, which offers the tools. After the first one, it goes to the model that answered.
 * @throws UsageError if it has tools of its own, or forces one that is not offered.
 */
function questionOf(turn: NewTurn, options: ToolTurnOptions): AskOptions {
  const { session, offered, dialect } = options
  const isFirst = turn === options.turn
  const instructions = offered.instructions(offered.tools)
  const { tool_choice: choice, ...request } = options.request({ ...turn, instructions })
  const own = ['tools', 'functions'].find((name) => request[name] !== undefined)
  if (own !== undefined) throw cannotBeCombined([`${own} in the request`, 'tools that syn runs'])
  const forced = isObject(choice) ? (isObject(choice.function) ? choice.function.name : choice.name) : undefined
  const names = offered.tools.map(({ name }) => name)
  if (forced !== undefined && !names.some((name) => name === forced)) {
    throw invalidValue('tool_choice', { path: [], found: quote(forced), expected: choicesText(names, forced) })
  }
  const isForced = choice === 'required' || (isObject(choice) && choice.type !== 'auto' && choice.type !== 'none')
  const model = session.lastAnswer?.model
  return {
    ...options,
    operation: dialect.operation,
    request: {
      ...request,
      ...(!isFirst && model !== undefined && { model }),
      // Results would be followed by a forced call without end.
      ...(choice !== undefined && (isFirst || !isForced) && { tool_choice: choice }),
      ...(offered.tools.length > 0 && { tools: dialect.toTools(offered.tools) }),
    },
    record: (asked) => session.record(turn, asked),
  }
}

/**
 * Runs the calls of the last answer, one after the other.
 * @returns a message with the result of each, and one with their images, if the model takes them.
 * @throws what ends the turn, after the results so far are recorded: what was done may matter to the model.
 */
async function resultsOf(options: ToolTurnOptions, context: AskContext, meter: Meter): Promise<JsonObject[]> {
  const { session } = options
  const { model = '', message = null } = session.lastAnswer ?? {}
  const results: JsonObject[] = []
  const images: Image[] = []
  let left = maxResultImages
  const messages = (): JsonObject[] => [...results, ...(images.length > 0 ? [resultImagesMessage(images)] : [])]
  try {
    for (const call of callsIn(message)) {
      const { text, isError, images: found = [] } = await runCall(call, options, context, meter)
      const isTaken = found.length > 0 && takesImages(await context.catalog.availableModels(), model)
      // Services limit the number of images, too: to 100 here.
      const isSent = (url: Image): boolean => isTaken && (left -= Math.max(url.length, maxResultImages / 100)) >= 0
      const sent = found.map(({ url }) => url).filter(isSent)
      append(images, sent)
      const unsent = `${pluralize(found.length - sent.length, 'image')} not sent`
      const reason = isTaken ? 'more than 5 MiB, or 100, together' : `the list does not say that ${model} takes images`
      const isCut = sent.length < found.length
      if (isCut) await options.user.notify(`${unsent}: ${reason}`)
      const content = isCut ? `${text}\n[${unsent}]` : text
      results.push({ role: 'tool', tool_call_id: call.id, content, ...(isError && { is_error: true }) })
    }
    await refreshTools(options.offered, options.signal, context)
  } catch (error) {
    if (results.length > 0) {
      const recorder = await session.record({ messages: messages() }, model)
      await recorder.end(new Answer(), error)
    }
    throw error
  }
  return messages()
}

/** @param meter Measures the request whose answer calls: the wait for a key is no time of it. */
async function runCall(
  call: ToolCall,
  options: ToolTurnOptions,
  context: AskContext,
  meter: Meter,
): Promise<ToolResult> {
  const { offered, user } = options
  const { io } = context
  const signal = AbortSignal.any([io.signal, options.signal ?? io.signal])
  signal.throwIfAborted()
  const tool = offered.tools.find(({ name }) => name === call.name)
  const label = tool ? sanitizeName(tool.label) : cutTo(sanitizeName(call.name), longestExcerpt)
  const args = argumentsOf(call.arguments)
  const mismatch = typeof args === 'string' ? args : await tool?.problem(args, signal)
  const problem = tool ? mismatch && `the arguments do not fit: ${mismatch}` : `there is no tool ${quote(call.name)}`
  if (!tool || typeof args === 'string' || problem) {
    await user.notify(`${label}: not run: ${sanitizeName(problem ?? '')}`)
    return { text: problem ?? '', isError: true }
  }
  const shown = visible(JSON.stringify(args))
  const isAsked = tool.approvedBy === undefined
  if (isAsked) {
    await notify(safe`approval needed`, meter.elapsed, context)
    const asked = io.elapsed()
    const key = await askAboutCall(tool, shown, user, signal)
    meter.skip(io.elapsed() - asked)
    signal.throwIfAborted()
    if (key === 'a') tool.approvedBy = 'user'
    else if (key !== 'y') {
      await user.sink.write(safe`${label}: not run\n`)
      return { text: 'the user did not let this call run', isError: true }
    }
  }
  const started = io.elapsed()
  const result = await withSpinner(safe`running ${label}`, context, () => tool.call(args, signal))
  const seconds = ((io.elapsed() - started) / 1000).toFixed(1)
  const output = result.text.trimEnd().replace(/^\n+/, '')
  const lines = output === '' ? [] : output.split('\n')
  const size = lines.length === 0 ? 'no output' : pluralize(lines.length, 'line')
  const sizes = [size, ...(result.images ?? []).map((image) => image.shown)].join(', ')
  const outcome = sanitizeName(`${result.isError ? 'failed, ' : ''}${cutTo(sizes, longestExcerpt)}, ${seconds} s`)
  if (isAsked) {
    const { dim } = await context.loadStyle(user.sink)
    await user.sink.write(linesOf([safe`${label}: ${outcome}`, ...firstLines(lines, user.sink.columns())].map(dim)))
  } else {
    const { errorLine } = result
    const reason = errorLine === undefined ? '' : `: ${cutTo(sanitizeName(errorLine), longestExcerpt)}`
    await user.notify(`${label} ${cutTo(shown, longestExcerpt)}: ${outcome}${reason}`)
  }
  return result
}

/** In columns: the model's text in the line about a call that needs no answer of the user. */
const longestExcerpt = 200

/** How many lines of a result are shown. */
const shownLines = 5

function firstLines(lines: readonly string[], columns: number): SafeText[] {
  const shown = lines.slice(0, shownLines).map((line) => {
    const [row = '', more] = surelyFittingRows(sanitizeName(line).slice(0, 2 * columns), Math.max(1, columns - 4))
    return safe`  ${sanitizeName(row)}${more === undefined ? noText : safe`…`}`
  })
  const more = lines.length - shown.length
  return more > 0 ? [...shown, safe`  … ${sanitizeName(pluralize(more, 'more line'))}`] : shown
}

/** The arguments of a call, for which some services send an empty text if there are none. @returns a text: why it is refused. */
function argumentsOf(given: string): JsonObject | string {
  const text = given.trim() || '{}'
  if (!isObject(parseJsonIfValid(text))) return 'expected a JSON object'
  try {
    return parseExactJson(text, 'a number') as JsonObject
  } catch (error) {
    return errorMessage(error)
  }
}

/**
 * JSON in which each character can be seen: what is invisible, an odd space, or the bracket around a count is escaped, and long
 * runs of spaces are counted, which could push the rest out of sight.
 */
function visible(json: string): SafeText {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const show = (found: string): string =>
    found.startsWith(' ') ? `⟨${found.length} spaces⟩` : found.split('').map(escape).join('')
  return sanitizeName(json.replaceAll(/ {17,}|(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u27e8]/gu, show))
}

/** @throws UsageError if there is nobody to ask about a call. Before anything is started. */
export function checkCanAsk({ tool = [], allow = [], stdin }: ToolOptions, io: Io): void {
  const name = tool.find((one) => !allow.some((allowed) => one === allowed || one.startsWith(`${allowed}/`)))
  const { kind, reader } = io.in
  if (name === undefined || withTerminal(io, stdin !== false)) return
  const isRead = kind === 'terminal' && reader !== undefined
  const reason = isRead
    ? `${reader} has read standard input`
    : `standard ${kind === 'terminal' ? 'error' : 'input'} is not a terminal`
  throw new UsageError(`cannot ask before a tool runs: ${reason}`, { hint: `use --allow ${shellWord(name)}` })
}
