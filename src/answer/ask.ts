/**
 * Sends a request to a model and shows its answer. One-shot commands and the interactive chat both use it; what differs
 * between them is an argument. Nothing here needs a terminal.
 */

import { hasImages } from '../api/image.ts'
import { requestLimit, type StreamingOperation } from '../api/operations.ts'
import type { CommandContext } from '../context.ts'
import type { AnswerRecorder } from '../conversation/recorder.ts'
import { FailedError, type Hint, withAddedHint } from '../errors.ts'
import { hintWords } from '../hint-words.ts'
import { type Activity, type Io, type Sink, withHook } from '../io/io.ts'
import type { Values } from '../fields/field.ts'
import type { limitOptions } from '../fields/request-options.ts'
import { type Json, type JsonObject, textSize } from '../io/json/json.ts'
import { withPartialFile, openTarget, type OutputTarget, standardStream } from '../io/files/output.ts'
import { safe, sanitizeName } from '../io/text/safe-text.ts'
import { durationText } from '../io/time/time.ts'
import { checkImages, chooseModel, fitImages } from '../models/choose.ts'
import { printRequest } from '../preview.ts'
import { Answer } from '../stream/answer.ts'
import type { Delta } from '../stream/delta.ts'
import { ReplyBudget } from '../stream/reply-budget.ts'
import { showSpinner } from '../terminal/spinner.ts'
import { createFollowUp } from './ask-again.ts'
import {
  type AnswerView,
  blockIn,
  choosePrinter,
  extractedBlock,
  printsJson,
  printsExtractedPart,
} from './choose-printer.ts'
import { HeldDeltas } from './held-deltas.ts'
import { asksForJson, leftOut } from './json-in.ts'
import { Meter } from './meter.ts'
import { type AnswerCheck, type AnswerOutcome, outcomeOf, reportEnds } from './outcome.ts'
import type { Spending } from './spending.ts'
import { notify } from './notify.ts'
import type { Printer } from './printer.ts'
import { answerSender, type Fallback, receive, withUsageOption } from './send.ts'

/** The request, and what to do with its answer besides showing it. */
export interface AskOptions {
  readonly operation: StreamingOperation
  /** The body. Without a model, one is chosen. */
  readonly request: JsonObject
  /** The model of the conversation's last answer. */
  readonly lastModel?: string | undefined
  /** What to ask if the model was rotated out or is overloaded. */
  readonly fallback: Fallback
  /** How long to wait for a used-up quota, in milliseconds (default: not at all). */
  readonly maxWait?: number | undefined
  /** What the requests of this process may cost (default: anything). */
  readonly spending?: Spending | undefined
  /** Cancels the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Starts recording the answer, before anything is sent. @param model As requested. */
  record?(model: Json): Promise<AnswerRecorder>
  readonly check?: AnswerCheck | undefined
  /** How often an answer that does not pass the check is sent back with what is wrong (default: never). */
  readonly repairs?: number | undefined
  /** If the tools that the answer calls are run: where the last answer goes, which the caller completes, and the request before. */
  readonly step?: { readonly target: OutputTarget; readonly before: Meter | undefined }
}

/** How the answer is shown. */
export interface Presentation extends AnswerView {
  /** Whether a preview prints a curl command instead of the body. */
  readonly curl?: boolean
  /** Called with the model, before anything is sent. */
  onModel?(model: Json): Promise<void>
  /** Called before the request is sent. */
  onStart?(meter: Meter): void
  /** Called when the request waits for a used-up quota, and when it is sent again. */
  onQuotaWait?(isWaiting: boolean): void
  /** Called with the model that is asked instead of one that is gone or overloaded. */
  onFallback?(model: string): void
  /** Reports the usage of a complete answer (default: with `usage`, a line on standard error). */
  reportUsage?(meter: Meter): Promise<void>
}

export type AskContext = Pick<
  CommandContext,
  'flags' | 'head' | 'isPreview' | 'io' | 'settings' | 'notices' | 'loadStyle' | 'client' | 'catalog'
>

type AskedBody = JsonObject & { readonly model: Json }

/** A request whose answer is shown, and recorded. */
interface Asking {
  readonly options: AskOptions
  readonly operation: StreamingOperation
  readonly view: Presentation
  readonly context: AskContext
  readonly body: AskedBody
  /** Whether the usage is asked for. */
  readonly needsUsage: boolean
  readonly signal: AbortSignal
}

/** A request, with what keeps, measures and shows its answer. */
interface Showing extends Asking {
  readonly answer: Answer
  readonly meter: Meter
  readonly target: OutputTarget
  readonly spinner: Activity | undefined
  /** Another one for an answer that follows one that was shown. */
  printer: Printer
  newPrinter(): Promise<Printer>
  held: HeldDeltas
  /** If the answer is checked: its JSON, by choice. */
  readonly json: Map<number, string> | undefined
}

/**
 * Sends the request and shows the answer as it arrives. In a preview, prints the request instead.
 * @returns the meter of the answer; `undefined` in a preview.
 * @throws what the request throws, after the part received is shown and saved; FailedError if the check fails; UsageError,
 *   before anything is sent, if the answer cannot be shown that way.
 */
export async function ask(options: AskOptions, view: Presentation, context: AskContext): Promise<Meter | undefined> {
  const asking = await prepare(options, view, context)
  if (context.isPreview) return preview(asking)
  await checkSpending(asking)
  await view.onModel?.(asking.body.model)
  const showing = await open(asking)
  let settled: AnswerOutcome | undefined
  try {
    settled = await deliver(showing)
    await close(settled, showing)
  } catch (error) {
    throw await endUnfinishedAnswer(error, settled, showing)
  }
  if (!settled.runsCalls) await report(settled, showing)
  return showing.meter
}

/** Chooses the model. @throws UsageError for a reasoning effort that it lacks, and for images if it takes none. */
async function prepare(options: AskOptions, view: Presentation, context: AskContext): Promise<Asking> {
  const { operation, request, lastModel } = options
  const { model: _given, ...others } = request
  const model = await chooseModel(operation, request, context, lastModel)
  const body = fitImages({ model, ...others }, context.catalog)
  await checkImages(operation, body, context.catalog)
  if (hasImages(body)) await warnIfLarge(body, context)
  if (typeof request.reasoning_effort === 'string') {
    const { checkTypedEffort } = await import('../models/efforts.ts')
    await checkTypedEffort(body, context)
  }
  const needsUsage = Boolean(view.usage || view.json || view.reportUsage || options.spending)
  return { options, operation, view, context, body, needsUsage, signal: options.signal ?? context.io.signal }
}

/** The service may cut the images off; others take more. */
async function warnIfLarge(body: JsonObject, { notices }: AskContext): Promise<void> {
  const large: Hint = { code: 'large request', size: textSize(body), limit: requestLimit, isImages: true }
  if (large.size > requestLimit) await notices.warn(hintWords(large, notices.voice))
}

/** @throws the refusal of a request that would cost too much. What tools have done is recorded before. */
async function checkSpending({ options: { spending, step, record }, body, operation }: Asking): Promise<void> {
  const refusal = spending?.refusal(body, operation)
  if (!refusal) return
  if (step?.before) await (await record?.(body.model))?.end(new Answer(), refusal)
  throw refusal
}

async function preview({ operation, view, context, body, needsUsage }: Asking): Promise<undefined> {
  const sent = needsUsage ? withUsageOption(operation, body, context.catalog) : body
  await printRequest(operation, sent, { ...context, options: view })
}

/** Opens the output, and starts the spinner. @throws UsageError if the answer cannot be shown that way. */
async function open(asking: Asking): Promise<Showing> {
  const { options, operation, view, context, body, signal } = asking
  const { step } = options
  const { io } = context
  const target = step?.target ?? (await openTarget(view.output, io))
  const answer = new Answer({
    keepsTexts: mustKeepTexts(options, view, io),
    now: io.elapsed,
    budget: new ReplyBudget(),
  })
  const meter = new Meter(body.model, answer, io.elapsed, step?.before)
  const spinner = await showSpinner(waiting, context)
  const sinks = { out: stoppingSpinner(spinner, target), err: stoppingSpinner(spinner, io.err) }
  const runsTools = step !== undefined
  const json = options.check && new Map<number, string>()
  const source = { operation, body, answer, ...sinks, spinner, runsTools, checked: json, signal }
  const newPrinter = (): Promise<Printer> => choosePrinter(source, view, context)
  const printer = await newPrinter()
  view.onStart?.(meter)
  return { ...asking, answer, meter, target, spinner, printer, newPrinter, held: newHeld(body), json }
}

const waiting = safe`waiting for the answer`

/** Sends the request, and again what `createFollowUp` says; records and shows what each read brings. @returns the outcome. */
async function deliver(showing: Showing): Promise<AnswerOutcome> {
  const { options, operation, view, context, body, needsUsage, answer, meter, spinner } = showing
  const { fallback, signal, record, maxWait, spending, repairs = 0 } = options
  const { client, catalog, notices, settings } = context
  const connected = await client.connected()
  const recorder = await record?.(body.model)
  const onWait = (left?: number): void =>
    spinner?.setText(left === undefined ? waiting : safe`retrying in ${sanitizeName(durationText(left))}`)
  const show = async (deltas: readonly Delta[]): Promise<void> => {
    const { printer, held } = showing
    await printer.print(view.jsonl ? deltas : held.add(deltas, answer))
    if (printer.awaited !== undefined) spinner?.resume(safe`waiting for ${printer.awaited}`)
  }
  const restart = async (): Promise<void> => {
    showing.printer.restart?.()
    showing.held = newHeld(body)
    await notices.info('the service started the answer again; the first part was dropped')
  }
  const onQuotaWait = (isWaiting: boolean): void => {
    view.onQuotaWait?.(isWaiting)
    return isWaiting ? spinner?.stop() : spinner?.resume(waiting)
  }
  const limit = maxWait === undefined ? undefined : await import('../quota/wait-at-limit.ts')
  const io = limit && { ...context.io, signal: AbortSignal.any([context.io.signal, signal ?? context.io.signal]) }
  const sendToModel = answerSender({
    catalog,
    fallback,
    wait: io && limit.waitAtLimit(connected, { notices, io, maxWait }, onQuotaWait),
    notify: (text) => notices.info(text),
    onFallback: async (model) => {
      await recorder?.changeModel(model)
      meter.model = model
      view.onFallback?.(model)
    },
  })
  const send = async (request: AskedBody): Promise<void> => {
    const spent = spending?.begin(request, operation)
    const onLost = spent?.lose
    const streaming = { withChunks: view.jsonl ?? false, keepsJson: view.json ?? false, signal, onWait, onLost }
    try {
      await sendToModel({ operation, body: request, needsUsage, answer, onModel: spent?.ask }, (sent) =>
        receive(connected.stream(operation, fitImages(sent, catalog), streaming), {
          record: recorder?.add,
          answer,
          show,
          restart: showing.printer.restart && restart,
        }),
      )
    } catch (error) {
      spent?.end(meter.modelNames, answer.lastUsage, error)
      throw error
    }
    spent?.end(meter.modelNames, answer.lastUsage)
  }
  const retriesBlank = settings.requestLimits().retries > 0 && !view.allowCut && !view.jsonl
  const followUp = createFollowUp(body, { retriesBlank, repairs })
  const finish = async (): Promise<AnswerOutcome> => {
    await send(body)
    for (;;) {
      const outcome = await judge(showing)
      const next = followUp(outcome, answer)
      const refusal = next && spending?.refusal(next.body, operation)
      if (refusal) await notices.warn(`not asked again: ${refusal.message}`)
      if (!next || refusal) return outcome
      await restartPrinter(showing)
      await notices.info(next.notice)
      spinner?.resume(waiting)
      answer.askAgain()
      await recorder?.add([{ type: 'restart' }])
      await send(next.body)
    }
  }
  const outcome = await finish().catch(async (error: unknown) => {
    await recorder?.end(answer, error)
    throw error
  })
  await recorder?.end(answer)
  await showing.printer.print(showing.held.end())
  return outcome
}

/** What was shown of the answer stays; what was not is forgotten. */
async function restartPrinter(showing: Showing): Promise<void> {
  showing.held = newHeld(showing.body)
  if (showing.printer.restart) return showing.printer.restart()
  await showing.printer.finish()
  showing.printer = await showing.newPrinter()
}

function newHeld(body: JsonObject): HeldDeltas {
  return new HeldDeltas(asksForJson(body) && (body.n ?? 1) === 1)
}

async function judge({ options, view, signal, ...ended }: Showing): Promise<AnswerOutcome> {
  const { check, step } = options
  const judged = check && (async (text: string) => check((await blockIn(text, view, signal)) ?? text, signal))
  const rules = { runsTools: step !== undefined, mustBeWhole: mustBeWhole(options, view), check: judged }
  return outcomeOf({ ...ended, view }, rules)
}

/** Shows the rest of the answer, and completes the output. @throws CutShortError if the answer is not whole; FailedError. */
async function close(settled: AnswerOutcome, { options, view, printer, spinner, target }: Showing): Promise<void> {
  const { runsCalls, problem, part } = settled
  const { check, step } = options
  // Half a code block is no result.
  await (problem && printsExtractedPart(view, check !== undefined, target) ? printer.interrupt() : printer.finish())
  spinner?.stop()
  if (runsCalls) return
  if (problem) throw problem === part ? withAddedHint(problem.error, { code: 'allow cut' }) : problem.error
  if (!step) await target.commit()
}

/** Shows what has arrived, and reports what may explain the error. @returns the error, with the file that has the part. */
async function endUnfinishedAnswer(
  error: unknown,
  settled: AnswerOutcome | undefined,
  showing: Showing,
): Promise<unknown> {
  const { options, printer, spinner, target, held, context, meter, signal } = showing
  const shown = settled ? undefined : printer.print(held.end()).then(() => printer.interrupt())
  await shown?.catch(() => undefined)
  spinner?.stop()
  // The end of the answer, such as a refusal, may explain why the check failed.
  if (settled && (settled.problem || error instanceof FailedError)) await report(settled, showing)
  else if (!signal.aborted) await notify(safe`answer failed`, meter.elapsed, context)
  return options.step ? error : withPartialFile(error, target)
}

/** Reports how the answer ended, unless its error says that, and its usage. */
async function report({ problem, part }: AnswerOutcome, showing: Showing): Promise<void> {
  const { operation, view, context, meter, answer, held, json } = showing
  const { notices, catalog } = context
  const [checked] = json?.keys() ?? []
  const places = checked === undefined ? held.leftOut : leftOut(answer.choice(checked)?.text ?? '')
  for (const place of places) await notices.info(`left out ${sanitizeName(place)}`)
  if (!problem || problem.error !== part?.error)
    await reportEnds(showing, notices, (operation.endsAtLimit ?? false) || printsJson(view))
  if (view.reportUsage) await view.reportUsage(meter)
  else if (view.usage) await notices.summary(await meter.summary(catalog))
  await notify(safe`answer ready`, meter.elapsed, context)
}

type LimitingOptions = Values<typeof limitOptions> & { readonly fallback?: Fallback; readonly maxCost?: number }

/** What options and settings say of requests that fail, and of what they may cost. */
export async function limitsOf(
  context: Pick<CommandContext, 'settings' | 'catalog'> & { readonly options: LimitingOptions },
): Promise<Pick<AskOptions, 'fallback' | 'maxWait' | 'spending'>> {
  const { options, settings, catalog } = context
  const { maxCost } = options
  const { Spending } = maxCost === undefined ? {} : await import('./spending.ts')
  const spending = Spending && new Spending(await catalog.availableModels(), maxCost)
  const fallback = settings.fallback(options)
  if (Array.isArray(fallback)) for (const model of fallback as readonly string[]) spending?.checkPrice(model)
  return { fallback, maxWait: settings.maxWait(options), spending }
}

/** Whether the answer is kept where only a whole one is of use: in a file, as code, or as JSON of a schema. */
function mustBeWhole({ check }: AskOptions, view: Presentation): boolean {
  const { output, jsonl, allowCut } = view
  const isKept = standardStream(output) === undefined || extractedBlock(view) || check
  return Boolean(isKept) && !jsonl && !allowCut
}

/** Whether text and reasoning are kept. A terminal gets Markdown, where the end of a block may change its start. */
function mustKeepTexts({ record, check, step }: AskOptions, view: Presentation, { out, err }: Io): boolean {
  if (record ?? check ?? step) return true
  return extractedBlock(view) !== undefined || (!view.json && (out.isTerminal || err.isTerminal))
}

/** A sink that stops the spinner before it writes. */
function stoppingSpinner(spinner: Activity | undefined, sink: Sink): Sink {
  return spinner ? withHook(sink, () => spinner.stop()) : sink
}
