/** Chooses the printer of an answer by the command's options. */

import type { StreamingOperation } from '../api/operations.ts'
import type { CommandContext } from '../context.ts'
import type { Activity, Sink } from '../io/io.ts'
import type { JsonObject } from '../io/json/json.ts'
import { standardStream } from '../io/files/output.ts'
import { extractedPartPrinter } from './extracted-part-printer.ts'
import { deferredPrinter, jsonLinesPrinter, jsonPrinter, printBoth, type Printer } from './printer.ts'
import { callsUnoffered, lowerFirst, titleOf, type TitledView } from './outcome.ts'
import type { Answer } from '../stream/answer.ts'
import { chooseFilter, chooseReasoningFilter } from './text-filters.ts'
import { TextPrinter } from './text-printer.ts'

/** The options of a command that decide how its answer is shown. */
export interface AnswerView extends TitledView {
  readonly json?: boolean
  readonly jsonl?: boolean
  readonly output?: string
  readonly extract?: boolean
  readonly extractLast?: boolean
  /** Whether to take an answer that is empty or cut off as a whole one. */
  readonly allowCut?: boolean
  /** Whether Markdown is shown as written. */
  readonly raw?: boolean
  /** Whether the answer is plain text, not Markdown. */
  readonly isPlainText?: boolean
  readonly reasoning?: boolean
  /** Whether reasoning that is not shown is summarized in one line. */
  readonly summarizesReasoning?: boolean
  readonly usage?: boolean
}

/** The request whose answer is printed, and where it is printed. */
interface PrinterSource {
  readonly operation: Pick<StreamingOperation, 'choiceCount'>
  readonly body: JsonObject
  /** Accumulates the deltas before they are printed. */
  readonly answer: Answer
  readonly out: Sink
  readonly err: Sink
  readonly spinner: Activity | undefined
  /** Whether the tools that the answer calls are run. */
  readonly runsTools: boolean
  /** If the answer is checked: the JSON of each choice, once it has passed. */
  readonly checked: ReadonlyMap<number, string> | undefined
  /** Stops the request. */
  readonly signal: AbortSignal
}

type PrinterContext = Pick<CommandContext, 'io' | 'notices' | 'loadStyle'>

/** Which code block of the answer is printed; `undefined` for the whole answer. */
export function extractedBlock({ extract, extractLast }: AnswerView): 'first' | 'last' | undefined {
  return extractLast ? 'last' : extract ? 'first' : undefined
}

/** Whether only a part of the answer is printed, once that is complete and, if it must be, checked. */
export function printsExtractedPart(view: AnswerView, isChecked: boolean, out: Pick<Sink, 'isTerminal'>): boolean {
  return !printsJson(view) && (extractedBlock(view) !== undefined || (isChecked && !out.isTerminal))
}

/** The code block that is printed; `undefined` for the whole answer, and without one. @throws the signal's reason. */
export async function blockIn(text: string, view: AnswerView, signal: AbortSignal): Promise<string | undefined> {
  const position = extractedBlock(view)
  if (position === undefined) return undefined
  const { fencedBlocks } = await import('../terminal/markdown/block-reader.ts')
  return (await fencedBlocks(text, signal)).at(position === 'first' ? 0 : -1)
}

/** Whether what the service sent is printed, not the answer in it. */
export function printsJson(view: AnswerView): boolean {
  return Boolean(view.json) || Boolean(view.jsonl)
}

export async function choosePrinter(
  source: PrinterSource,
  view: AnswerView,
  context: PrinterContext,
): Promise<Printer> {
  const { operation, body, answer, out, err, spinner, runsTools, checked, signal } = source
  const { io, notices, loadStyle } = context
  const other = await nonTextPrinter(source, view, context)
  const isFile = standardStream(view.output) === undefined
  const style = await loadStyle(out)
  const outStyle = isFile ? { ...style, isForced: false } : style
  const errStyle = await loadStyle(err)
  const isRaw = view.raw || view.isPlainText || other !== undefined
  const options = {
    choiceCount: operation.choiceCount(body),
    title: (index: number) => titleOf(index, view),
    // JSON contains the reasoning.
    showsReasoning: view.reasoning ?? (io.err.isTerminal && !notices.isQuiet && !printsJson(view)),
    runsTools,
    isSpoken: io.isAccessible?.() === true,
    newFilter: chooseFilter(isRaw, io, out, outStyle),
    newReasoningFilter: chooseReasoningFilter(view.raw ?? false, io, err),
    outStyle,
    errStyle,
    signal,
  }
  let last = other
  // On a terminal, the text before a call is of use as it arrives.
  const holdsCalls = runsTools && !view.jsonl && (other !== undefined || !out.isTerminal)
  // Calls that are not run are an answer, which no schema describes.
  const isChecked = checked !== undefined && !extractedBlock(view) && printsExtractedPart(view, true, out)
  if (holdsCalls || isChecked) {
    const withoutReasoning = { ...options, showsReasoning: false }
    const newFilter = chooseFilter(view.raw ?? false, io, err, errStyle)
    const withCalls = new TextPrinter(
      runsTools ? err : out,
      err,
      answer,
      runsTools ? { ...withoutReasoning, newFilter } : withoutReasoning,
    )
    last = deferredPrinter(other ?? new TextPrinter(out, err, answer, withoutReasoning), withCalls, () => {
      const first = answer.choice(0)
      return answer.callsTools && first !== undefined && (runsTools || !callsUnoffered(first, body))
    })
  }
  if (last) return options.showsReasoning ? printBoth(new TextPrinter(nullSink, err, answer, options), last) : last
  const printer = new TextPrinter(out, err, answer, options)
  if (!view.summarizesReasoning || options.showsReasoning || notices.isQuiet) return printer
  const { reasoningLine } = await import('./reasoning-line.ts')
  return printBoth(reasoningLine(err, spinner, errStyle, io.elapsed), printer)
}

/** The printer for JSON and for a part of the answer; `undefined` for text. */
async function nonTextPrinter(
  { answer, out, err, checked, signal }: PrinterSource,
  view: AnswerView,
  { notices }: PrinterContext,
): Promise<Printer | undefined> {
  if (view.jsonl) return jsonLinesPrinter(out)
  if (view.json) return jsonPrinter(out, answer)
  if (!printsExtractedPart(view, checked !== undefined, out)) return undefined
  return extractedPartPrinter(out, answer, {
    fallback: standardStream(view.output) === undefined ? out : err,
    partOf: async (text, index) => (checked ? checked.get(index) : blockIn(text, view, signal)),
    warnWithout: (index) => notices.warn(`${lowerFirst(titleOf(index, view))} has no code block`),
  })
}

/** For a text printer that shows only the reasoning. */
const nullSink: Sink = { isTerminal: false, columns: () => 80, write: () => Promise.resolve() }
