/**
 * Sends a request to a model and shows its answer. One-shot commands and the interactive chat both use it; what differs
 * between them is an argument. Nothing here needs a terminal.
 */

import type { SendOptions, StreamingOperation } from '../api/operations.ts'
import type { CommandContext } from '../context.ts'
import type { AnswerRecorder } from '../conversation/recorder.ts'
import { CutShortError, FailedError, withAddedHint } from '../errors.ts'
import { flagOf } from '../fields/field.ts'
import { type Activity, type Io, type Sink, withHook } from '../io/io.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { withPartialFile, openTarget, type OutputTarget, standardStream } from '../io/files/output.ts'
import { safe, sanitizeName } from '../io/text/safe-text.ts'
import { durationText } from '../io/time/time.ts'
import { chooseModel } from '../models/choose.ts'
import type { AliasHint } from '../models/rotation.ts'
import { printRequest } from '../preview.ts'
import type { Settings } from '../settings/settings.ts'
import { AnswerAccumulator } from '../stream/answer-accumulator.ts'
import type { Delta } from '../stream/delta.ts'
import type { Held } from '../stream/held-size.ts'
import { showSpinner } from '../terminal/spinner.ts'
import { choosePrinter, extractedBlock, needsChunks, type AnswerView } from './choose-printer.ts'
import { Meter, usageSummary } from './meter.ts'
import { Outcome } from './outcome.ts'
import { AnswerSender, withUsageOption } from './send.ts'

/** The request, and what to do with its answer besides showing it. */
export interface AskOptions {
  readonly operation: StreamingOperation
  /** The body. Without a model, one is chosen. */
  readonly request: JsonObject
  /** The model of the conversation's last answer. */
  readonly lastModel?: string | undefined
  /** Whether to ask the alias of the category, once, if the model was rotated out. */
  readonly fallback: boolean
  /** Cancels the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Starts recording the answer, before anything is sent. @param model As requested. */
  record?(model: Json): Promise<AnswerRecorder>
  /** @throws FailedError if the text of an answer is not what was asked for; the signal's reason if it aborts. */
  check?(text: string, signal: AbortSignal): Promise<void>
  /** If the tools that the answer calls are run: where the last answer goes, which the caller completes, and the request before. */
  readonly step?: { readonly target: OutputTarget; readonly before: Meter | undefined }
}

/** How the answer is shown, and how messages about it name things. */
export interface Presentation extends AnswerView {
  /** Of a preview: print a curl command instead of the body. */
  readonly curl?: boolean
  /** How the user sets a field of the request, for messages (default: the flag). */
  nameOf?(field: string): string
  /** How the user switches from a model that is gone to the alias (default: with flags). */
  readonly aliasHint?: AliasHint | undefined
  /** Called with the model, before anything is sent. */
  onModel?(model: Json): Promise<void>
  /** Called before the request is sent. */
  onStart?(meter: Meter): void
  /** Called when the request waits, and when it goes on. @param isTurn Whether it waits for other processes of the same person. */
  onTurn?(isTurn: boolean): void
  /** Called with the alias that is asked instead of a model that is gone. */
  onFallback?(alias: string): void
  /** Reports the usage of a complete answer (default: with `usage`, a line on standard error). */
  reportUsage?(meter: Meter): Promise<void>
}

export type AskContext = Pick<
  CommandContext,
  'flags' | 'head' | 'isPreview' | 'io' | 'secrets' | 'settings' | 'notices' | 'loadStyle' | 'client' | 'catalog'
>

/**
 * Sends the request and shows the answer as it arrives. In a preview, prints the request instead.
 * @returns the meter of the answer; `undefined` in a preview.
 * @throws what the request throws, after the part received is shown and saved; FailedError if the check fails; UsageError,
 *   before anything is sent, if the answer cannot be shown that way.
 */
export async function ask(options: AskOptions, view: Presentation, context: AskContext): Promise<Meter | undefined> {
  const { operation, request, check, step } = options
  const { io, notices, catalog } = context
  const { title, nameOf = flagOf, onModel, reportUsage } = view
  const { model: _given, ...others } = request
  const model = await chooseModel(operation, request, context, options.lastModel)
  const needsUsage = Boolean(view.usage || view.json || reportUsage)
  const body = { model, ...others }
  if (typeof request.reasoning_effort === 'string') {
    const { checkTypedEffort } = await import('../models/efforts.ts')
    await checkTypedEffort(body, context, nameOf)
  }
  if (context.isPreview) {
    const sent = needsUsage ? withUsageOption(operation, body, catalog) : body
    await printRequest(operation, sent, { ...context, options: view })
    return undefined
  }
  await onModel?.(model)

  const target = step?.target ?? (await openTarget(view.output, io))
  const keepsTexts = Boolean(check ?? step) || Boolean(extractedBlock(view))
  const keepsChunks = view.json ?? false
  const answer = new AnswerAccumulator({ keepsTexts, keepsChunks, now: io.elapsed })
  const meter = new Meter(model, answer, io.elapsed, step?.before)
  const outcome = new Outcome(answer, { operation, body, title, nameOf })
  const waiting = safe`waiting for the answer`
  const spinner = await showSpinner(waiting, context)
  const sinks = { out: stoppingSpinner(spinner, target), err: stoppingSpinner(spinner, io.err) }
  const signal = options.signal ?? io.signal
  const printer = await choosePrinter({ operation, body, answer, ...sinks, spinner, signal }, view, context)

  view.onStart?.(meter)
  const show = async (deltas: readonly Delta[]): Promise<void> => {
    answer.add(deltas)
    await printer.print(deltas)
    if (printer.awaited !== undefined) spinner?.resume(safe`waiting for ${printer.awaited}`)
  }
  const reportEnds = (): Promise<void> => outcome.report(notices, (operation.endsAtLimit ?? false) || needsChunks(view))
  const report = async ({ isWhole = true } = {}): Promise<void> => {
    await outcome.reportMissing(operation.choiceCount(body), notices)
    // The error says it otherwise.
    if (isWhole) await reportEnds()
    if (reportUsage) await reportUsage(meter)
    else if (view.usage) await notices.warn(await usageSummary(meter, catalog))
  }
  let hasArrived = false
  let incomplete: CutShortError | undefined
  try {
    const onWait = (wait?: number | 'turn'): void => {
      view.onTurn?.(wait === 'turn')
      if (typeof wait === 'number') spinner?.setText(safe`retrying in ${sanitizeName(durationText(wait))}`)
      // In the chat, the status row says it.
      else spinner?.setText(wait === 'turn' && !view.onTurn ? safe`waiting for your batch` : waiting)
    }
    await deliver({ ...options, needsUsage, onWait }, body, view, context, show)
    hasArrived = true
    const callsTools = step !== undefined && answer.callsTools
    // A call that was cut off is not run, and without it there may be no text.
    const hasCutCall = step && !callsTools && (answer.choice(0)?.calls.size ?? 0) > 0
    if (hasCutCall || (!callsTools && mustBeWhole(options, view))) incomplete = outcome.incomplete()
    if (hasCutCall) incomplete ??= new CutShortError('the answer ended before its calls could be run')
    // Half a code block is no result.
    await (incomplete && extractedBlock(view) ? printer.interrupt() : printer.finish())
    spinner?.stop()
    if (callsTools) return meter
    // The chat has no such option.
    const hint = view.nameOf || hasCutCall ? undefined : 'use --allow-cut to take it as it is'
    if (incomplete) throw hint === undefined ? incomplete : withAddedHint(incomplete, hint)
    if (check) for (const text of outcome.texts()) await check(await shownPart(text, view, signal), signal)
    if (!step) await target.commit()
  } catch (error) {
    if (!hasArrived) await printer.interrupt().catch(() => undefined)
    spinner?.stop()
    if (incomplete) await report({ isWhole: false })
    // The end of the answer, such as a refusal, may explain why the check failed.
    else if (error instanceof FailedError) await (hasArrived ? report() : reportEnds())
    throw step ? error : await withPartialFile(error, target)
  }
  await report()
  return meter
}

/** Whether to ask the alias if the model is gone: the flag, else the setting. */
export function mayFallBack({ options, settings }: { options: { fallback?: boolean }; settings: Settings }): boolean {
  return options.fallback ?? settings.get('fallback')?.value ?? false
}

/** Sends the request; records and shows what each read brings. */
async function deliver(
  options: AskOptions & Pick<SendOptions, 'onWait'> & { readonly needsUsage: boolean },
  body: JsonObject & { model: Json },
  view: Presentation,
  { io, client, catalog, notices }: AskContext,
  show: (deltas: readonly Delta[]) => Promise<void>,
): Promise<void> {
  const { operation, fallback, needsUsage, signal, record, onWait } = options
  const connected = await client.connected()
  const recorder = await record?.(body.model)
  const withChunks = needsChunks(view)
  const held = heldOfAnswer(options, view, io)
  const streamOptions = { withChunks, withThinking: record !== undefined, held, signal, onWait }
  const readAll = async (sent: JsonObject): Promise<void> => {
    for await (const deltas of connected.stream(operation, sent, streamOptions)) {
      await recorder?.add(deltas)
      await show(deltas)
    }
  }
  const { aliasHint } = view
  const notify = (text: string): Promise<void> => notices.info(text)
  const onFallback = async (alias: string): Promise<void> => {
    await recorder?.changeModel(alias)
    view.onFallback?.(alias)
  }
  const sender = new AnswerSender({ catalog, fallback, aliasHint, notify, onFallback })
  try {
    await sender.send({ operation, body, needsUsage }, readAll)
  } catch (error) {
    await recorder?.end(error)
    throw error
  }
  await recorder?.end()
}

/** Whether the answer is kept where only a whole one is of use: in a file, as code, or as JSON of a schema. */
function mustBeWhole({ check }: AskOptions, view: Presentation): boolean {
  const { output, jsonl, allowCut } = view
  const isKept = standardStream(output) === undefined || extractedBlock(view) || check
  return Boolean(isKept) && !jsonl && !allowCut
}

/** What of the answer is held until its end. A terminal gets Markdown, where the end of a block may change its start. */
function heldOfAnswer({ record, check }: AskOptions, view: Presentation, io: Io): Held {
  if (view.json) return 'chunks'
  const isWhole = extractedBlock(view) || record || check || io.out.isTerminal || io.err.isTerminal
  return isWhole ? 'deltas' : 'rest'
}

/** The part of an answer's text that is shown: only that is checked. */
async function shownPart(text: string, view: AnswerView, signal: AbortSignal): Promise<string> {
  const position = extractedBlock(view)
  if (!position) return text
  const { fencedBlocks } = await import('../terminal/markdown/fenced-code.ts')
  return (await fencedBlocks(text, signal)).at(position === 'first' ? 0 : -1) ?? text
}

/** A sink that stops the spinner before it writes. */
function stoppingSpinner(spinner: Activity | undefined, sink: Sink): Sink {
  return spinner ? withHook(sink, () => spinner.stop()) : sink
}
