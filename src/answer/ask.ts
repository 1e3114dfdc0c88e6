/**
 * Asks a model and shows its answer: the one way from a request to the screen, for one-shot commands and the chat alike.
 * What differs between them is an argument; nothing here needs a terminal.
 */

import type { StreamingOperation } from '../api/operations.ts'
import type { CommandContext } from '../context.ts'
import type { AnswerRecorder } from '../conversation/recorder.ts'
import { FailedError } from '../errors.ts'
import { flagOf } from '../fields/field.ts'
import type { Sink } from '../io/io.ts'
import type { Json, JsonObject } from '../io/json.ts'
import { withPartialFile, openTarget } from '../io/output.ts'
import { chooseModel } from '../models/choose.ts'
import { withModelHint, isModelNotFound, modelName, type AliasHint } from '../models/rotation.ts'
import { isPreview, printRequest } from '../preview.ts'
import type { Settings } from '../settings/settings.ts'
import type { Delta } from '../stream/delta.ts'
import { type Spinner, startWaiting } from '../terminal/spinner.ts'
import { choosePrinter, needsChunks, type AnswerView } from './choose-printer.ts'
import { Meter, usageSummary } from './meter.ts'
import { Outcome } from './outcome.ts'

/** What is asked. */
export interface Question {
  readonly operation: StreamingOperation
  /** The body, which may still lack its model. */
  readonly request: JsonObject
  /** The model that answered last in the conversation, if any. */
  readonly lastModel?: string | undefined
  /** Whether the alias of its category is asked, once, when the model was rotated out. */
  readonly fallback: boolean
  /** Ends the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Begins the record of the answer, before anything is sent. @param model As requested. */
  record?(model: Json): Promise<AnswerRecorder>
  /** Throws when an answer's text is not what was asked for. */
  check?(text: string): void
}

/** How the answer is shown, and how what concerns it is put into words. */
export interface Presentation extends AnswerView {
  /** Print the body, or a curl command, instead of sending the request. */
  readonly dryRun?: boolean
  readonly curl?: boolean
  /** How a person sets a field of the request; with a flag when absent. */
  nameOf?(field: string): string
  /** How a person asks the alias instead of a model that is gone; with flags when absent. */
  readonly aliasHint?: AliasHint | undefined
  /** Called with the model, before anything is sent. */
  onModel?(model: Json): Promise<void>
  /** Called with the alias that is asked instead. */
  onFallback?(alias: string): void
  /** Tells what a whole answer took; with `usage` a line on standard error when absent. */
  reportUsage?(meter: Meter): Promise<void>
}

type Context = Pick<CommandContext, 'io' | 'secrets' | 'settings' | 'notices' | 'loadStyle' | 'client' | 'catalog'>

/**
 * Shows the request, where that was asked for, or sends it and shows the answer as it arrives.
 * @throws what the request throws, after what had arrived is shown and kept; FailedError when a check fails; UsageError
 *   before anything is sent, when the answer can't be shown as asked.
 */
export async function ask(question: Question, presentation: Presentation, context: Context): Promise<void> {
  const { operation, request, check } = question
  const { io, settings, notices, catalog } = context
  const { title, nameOf = flagOf, onModel, reportUsage } = presentation
  const { model: _given, ...others } = request
  const model = await chooseModel(operation, request, context, question.lastModel)
  const body = { model, ...others }
  if (isPreview(presentation)) return printRequest(operation, body, settings.previewBaseUrl, presentation, context)
  await onModel?.(model)

  const target = await openTarget(presentation.output, io)
  const meter = new Meter(model, io.now)
  const outcome = new Outcome(title, nameOf)
  const spinner = await startWaiting('waiting for the answer', context)
  const sinks = { out: stopping(spinner, target), err: stopping(spinner, io.err) }
  const printer = await choosePrinter({ operation, body, ...sinks, spinner }, presentation, context)

  const show = async (deltas: readonly Delta[]): Promise<void> => {
    meter.note(deltas)
    outcome.note(deltas)
    await printer.take(deltas)
    if (printer.awaited !== undefined) spinner?.resume(`waiting for ${printer.awaited}`)
  }
  const report = async (): Promise<void> => {
    await outcome.report(notices)
    if (reportUsage) await reportUsage(meter)
    else if (presentation.usage) await notices.warn(await usageSummary(meter, catalog))
  }
  let isWhole = false
  try {
    await deliver(question, body, presentation, context, show)
    isWhole = true
    await printer.finish()
    spinner?.stop()
    if (check) for (const text of outcome.texts()) check(await shownPart(text, presentation))
    await target.commit()
  } catch (error) {
    if (!isWhole) await printer.breakOff().catch(() => undefined)
    spinner?.stop()
    // How the answer ended may be why it is not what was asked for.
    if (error instanceof FailedError) await (isWhole ? report() : outcome.report(notices))
    throw await withPartialFile(error, target)
  }
  await report()
}

/** Whether the alias is to be asked when the model is gone: by flag, else by setting. */
export function mayFallBack({ options, settings }: { options: { fallback?: boolean }; settings: Settings }): boolean {
  return options.fallback ?? settings.get('fallback')?.value ?? false
}

/** Sends the request, and records and shows each read; when the model is gone, once more to its category's alias. */
async function deliver(
  { operation, fallback, signal, record }: Question,
  body: JsonObject & { model: Json },
  presentation: Presentation,
  { client, catalog, notices }: Context,
  show: (deltas: readonly Delta[]) => Promise<void>,
): Promise<void> {
  const connected = await client.connected()
  const recorder = await record?.(body.model)
  const options = { withChunks: needsChunks(presentation), signal }
  const readAll = async (sent: JsonObject): Promise<void> => {
    for await (const deltas of connected.stream(operation, sent, options)) {
      await recorder?.add(deltas)
      await show(deltas)
    }
  }
  try {
    // Nothing is read before a status is known.
    await readAll(body).catch(async (error: unknown) => {
      const alias = operation.alias(body)
      if (!isModelNotFound(error) || !fallback || body.model === alias) {
        throw await withModelHint(error, operation, body, catalog, presentation.aliasHint)
      }
      await notices.info(`${error.message}; asking ${alias} instead of ${modelName(body.model)}`)
      presentation.onFallback?.(alias)
      await readAll({ ...body, model: alias })
    })
  } catch (error) {
    await recorder?.end(error)
    throw error
  }
  await recorder?.end()
}

/** What is shown of an answer's text is what is checked. */
async function shownPart(text: string, { extract, extractLast }: AnswerView): Promise<string> {
  if (!extract && !extractLast) return text
  const { fencedBlock } = await import('../terminal/markdown/fenced-code.ts')
  return fencedBlock(text, extractLast ? 'last' : 'first') ?? text
}

/** Stops the spinner before anything is written. */
function stopping(spinner: Spinner | undefined, sink: Sink): Sink {
  if (!spinner) return sink
  return {
    isTerminal: sink.isTerminal,
    columns: () => sink.columns(),
    write: (text) => {
      spinner.stop()
      return sink.write(text)
    },
  }
}
