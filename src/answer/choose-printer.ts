/** Which printer shows an answer in the form that was asked for. */

import { refuseTogether } from '../fields/exclusive.ts'
import type { JsonObject } from '../io/json.ts'
import type { Io, Sink } from '../io/io.ts'
import { CodePrinter } from './code-printer.ts'
import { JsonLinesPrinter, JsonPrinter } from './json-printer.ts'
import type { ThemeName } from '../terminal/markdown/theme.ts'
import { inTurn, type Printer } from './printer.ts'
import { loadStyle, type Style } from '../terminal/style.ts'
import { passThrough, sanitizingFilter, DeferredFilter, type TextFilter } from '../terminal/text-filter.ts'
import { TextPrinter } from './text-printer.ts'

/** The options of a command that steer how its answer is shown. */
export interface AnswerView {
  readonly json?: boolean
  readonly jsonl?: boolean
  readonly output?: string
  readonly extract?: boolean
  readonly extractLast?: boolean
  /** Whether Markdown is shown as it is. */
  readonly raw?: boolean
  readonly theme?: ThemeName | undefined
  readonly reasoning?: boolean
  readonly usage?: boolean
  readonly quiet?: boolean
  /** Whether there is to be colour; where the terminal decides, absent. */
  readonly color?: boolean | undefined
}

/** What a printer must know of the request. */
export interface Asked {
  /** How many answers were asked for. */
  readonly count: number
  /** What the answer of this number is called. */
  title(index: number): string
  readonly hasLogprobs: boolean
  /** Whether the answer is text of any kind rather than Markdown. */
  readonly isPlainText?: true
  fold(chunks: readonly JsonObject[]): JsonObject
  /** Takes the key out of a text. */
  mask(text: string): string
}

/** @throws UsageError for more than one form. */
export function checkForm(view: AnswerView): void {
  refuseTogether(view, ['json', 'jsonl', 'extract', 'extractLast'])
}

/** Whether the printer needs what the service sent, and not just its deltas. */
export function needsChunks(view: AnswerView): boolean {
  return Boolean(view.json) || Boolean(view.jsonl)
}

export async function choosePrinter(asked: Asked, view: AnswerView, io: Io, out: Sink, err: Sink): Promise<Printer> {
  const form = formOf(asked, view, out, err)
  const outStyle = await loadStyle(io, out, view.color)
  const errStyle = await loadStyle(io, err, view.color)
  const showsProbabilities = asked.hasLogprobs && outStyle.hasColor && !form
  const isRaw = view.raw || asked.isPlainText || showsProbabilities || form !== undefined
  const options = {
    hasSeveral: asked.count > 1,
    title: (index: number) => asked.title(index),
    // JSON holds the reasoning itself.
    showsReasoning: view.reasoning ?? (io.err.isTerminal && !view.quiet && !needsChunks(view)),
    showsProbabilities,
    showsLegend: showsProbabilities && errStyle.hasColor && !view.quiet,
    newForm: chooseForm(isRaw, view, io, out, outStyle),
    newReasoningForm: chooseReasoningForm(view, io, err),
    outStyle,
    errStyle,
    mask: (text: string) => asked.mask(text),
  }
  if (!form) return new TextPrinter(out, err, options)
  return options.showsReasoning ? inTurn(new TextPrinter(nowhere, err, options), form) : form
}

/** @returns what makes the form of each answer's text. */
export function chooseForm(
  isRaw: boolean,
  view: Pick<AnswerView, 'theme'>,
  io: Io,
  out: Sink,
  style: Style,
): () => TextFilter {
  if (!out.isTerminal) return () => passThrough
  if (isRaw || io.env.TERM === 'dumb') return () => sanitizingFilter(passThrough)
  // Loaded while the request travels.
  const loading = import('../terminal/markdown/form.ts')
  const form = async (): Promise<TextFilter> => (await loading).markdownForm(out, style, view.theme ?? 'auto', io)
  return () => sanitizingFilter(new DeferredFilter(form()))
}

/** Reasoning is not laid out, but its lines are broken where a person would break them. */
function chooseReasoningForm(view: Pick<AnswerView, 'raw'>, io: Io, err: Sink): () => TextFilter {
  if (!err.isTerminal) return () => passThrough
  if (view.raw || io.env.TERM === 'dumb') return () => sanitizingFilter(passThrough)
  const loading = import('../terminal/word-wrap.ts')
  const form = async (): Promise<TextFilter> => new (await loading).WordWrap(err)
  return () => sanitizingFilter(new DeferredFilter(form()))
}

/** The printer of an answer that is not shown as text. */
function formOf(asked: Asked, view: AnswerView, out: Sink, err: Sink): Printer | undefined {
  if (view.jsonl) return new JsonLinesPrinter(out)
  if (view.json)
    return new JsonPrinter(
      out,
      (chunks) => asked.fold(chunks),
      (text) => asked.mask(text),
    )
  if (!view.extract && !view.extractLast) return undefined
  const isFile = view.output !== undefined && view.output !== '-'
  return new CodePrinter(out, isFile ? out : err, view.extractLast ? 'last' : 'first')
}

/** Takes the text of an answer of which only the reasoning is to be seen. */
const nowhere: Sink = { isTerminal: false, columns: () => 80, write: () => Promise.resolve() }
