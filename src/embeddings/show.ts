/** Writes embeddings in the requested format as they arrive, with progress and usage. */

import type { EmbeddedBatch } from '../api/embeddings/embed.ts'
import { CutShortError, NetworkError, StatusError, UsageError, withAddedHint } from '../errors.ts'
import { cannotBeCombined } from '../fields/problem.ts'
import { pluralize } from '../io/plural.ts'
import { type Io, type Sink, withHook } from '../io/io.ts'
import { withPartialFile, openTarget } from '../io/output.ts'
import { safe } from '../io/safe-text.ts'
import type { Notices } from '../notices.ts'
import { decodeUsage } from '../stream/delta.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { showSpinner } from '../terminal/spinner.ts'
import {
  type EmbeddingPrinter,
  jsonArrayFrame,
  jsonLinesFrame,
  NpyPrinter,
  RowPrinter,
  ReplyPrinter,
} from './formats.ts'

export const embeddingFormats = ['jsonl', 'json', 'csv', 'npy'] as const

/** The options that select how embeddings are written. */
export interface EmbeddingsView {
  readonly format?: (typeof embeddingFormats)[number]
  readonly withText?: boolean
  readonly compare?: boolean
  readonly json?: boolean
  readonly output?: string
  readonly usage?: boolean
}

/** The format that was given, or that of the output file's extension. */
function formatOf({ format, output = '' }: EmbeddingsView): EmbeddingsView['format'] {
  return format ?? embeddingFormats.find((one) => output.endsWith(`.${one}`))
}

/** @throws UsageError for npy on a terminal or with texts. */
export function checkEmbeddingsView(view: EmbeddingsView, out: Sink): void {
  if (view.withText && formatOf(view) === 'npy') {
    throw cannotBeCombined(['--with-text', '--format npy'])
  }
  const isShown = out.isTerminal && (view.output ?? '-') === '-'
  if (view.format === 'npy' && isShown) {
    throw npyOnTerminal()
  }
}

function npyOnTerminal(): UsageError {
  return new UsageError('--format npy cannot be written to a terminal', { hint: 'use -o vectors.npy' })
}

export interface EmbeddingSource {
  /** Sends the requests. */
  embed(): AsyncIterable<EmbeddedBatch>
  /** `undefined` for input that is still being read. */
  readonly textCount: number | undefined
  /** At least 2 for such input. */
  readonly requestCount: number
  /** Masks the key in a text. */
  mask(text: string): string
}

/**
 * Writes embeddings as they arrive.
 * @throws what the source throws, after writing the part received; a CutShortError if any of it was written.
 */
export async function showEmbeddings(
  source: EmbeddingSource,
  view: EmbeddingsView,
  deps: { io: Io; notices: Notices; loadStyle: LoadStyle },
): Promise<void> {
  const { io, notices } = deps
  const { textCount, requestCount } = source
  const target = await openTarget(view.output, io)
  const spinner = requestCount === 1 ? await showSpinner(safe`waiting for the embeddings`, deps) : undefined
  const progress = requestCount > 1 ? startProgress({ total: textCount, unit: 'texts' }, deps) : undefined
  const printer = await chooseEmbeddingPrinter(view, clearing(target, progress), deps)
  const meter = new EmbeddingMeter(io.now)
  try {
    for await (const batch of source.embed()) {
      spinner?.stop()
      await printer.take({ ...batch, texts: batch.texts.map((text) => source.mask(text)) })
      meter.add(batch)
      progress?.advance(meter.textCount)
    }
    await printer.finish()
    await target.commit()
  } catch (error) {
    progress?.stop()
    const isWritten = await printer.breakOff().catch(() => false)
    throw await withPartialFile(isWritten ? cutShort(error, meter.textCount, textCount) : error, target)
  } finally {
    spinner?.stop()
    progress?.stop()
  }
  if (view.usage) await notices.warn(meter.summary())
}

/** A sink that clears the progress line before each write, which may go to the same terminal. */
function clearing(sink: Sink, progress: Progress | undefined): Sink {
  return progress ? withHook(sink, () => progress.clear()) : sink
}

/** A failure after output was written means that the output is incomplete; bad input keeps its exit status. */
function cutShort(error: unknown, done: number, total: number | undefined): unknown {
  if (error instanceof UsageError) return withAddedHint(error, `the ${pluralize(done, 'text')} before are embedded`)
  if (!(error instanceof NetworkError) && !(error instanceof StatusError)) return error
  const count = total === undefined ? pluralize(done, 'text') : `${done} of ${total} texts`
  const message = `cut short after ${count}: ${error.message}`
  return new CutShortError(message, { hint: error.hint, cause: error })
}

/** The printer for the requested format. */
async function chooseEmbeddingPrinter(
  view: EmbeddingsView,
  out: Sink,
  { io, loadStyle }: { io: Io; loadStyle: LoadStyle },
): Promise<EmbeddingPrinter> {
  const hasText = view.withText ?? false
  const style = await loadStyle(out)
  if (view.compare) return new (await import('./compare.ts')).ComparePrinter(out, style, io.signal)
  if (view.json) return new ReplyPrinter(out)
  switch (formatOf(view) ?? (out.isTerminal ? 'summary' : 'jsonl')) {
    case 'summary':
      return new (await import('./summary.ts')).SummaryPrinter(out, style, hasText)
    case 'jsonl':
      return new RowPrinter(out, jsonLinesFrame, hasText)
    case 'json':
      return new RowPrinter(out, jsonArrayFrame, hasText)
    case 'csv':
      return new (await import('./csv.ts')).CsvPrinter(out, hasText)
    case 'npy':
      if (out.isTerminal) throw npyOnTerminal()
      return new NpyPrinter(out)
  }
}

/** Counts and time for `--usage`. */
class EmbeddingMeter {
  readonly #now: () => number
  readonly #started: number
  #requestCount = 0
  /** `undefined` once a reply has no token count. */
  #promptTokens: number | undefined = 0
  textCount = 0

  constructor(now: () => number) {
    this.#now = now
    this.#started = now()
  }

  add({ texts, whole }: EmbeddedBatch): void {
    const tokens = decodeUsage(whole.usage)?.promptTokens
    this.#promptTokens =
      this.#promptTokens === undefined || tokens === undefined ? undefined : this.#promptTokens + tokens
    this.#requestCount += 1
    this.textCount += texts.length
  }

  summary(): string {
    const tokens =
      this.#promptTokens === undefined
        ? 'no token counts (the service sent none)'
        : pluralize(this.#promptTokens, 'prompt token')
    const seconds = ((this.#now() - this.#started) / 1000).toFixed(2)
    return [tokens, pluralize(this.textCount, 'text'), pluralize(this.#requestCount, 'request'), `${seconds} s`].join(
      ' · ',
    )
  }
}
