/** Which printer writes embeddings in the form that was asked for. */

import { UsageError } from '../errors.ts'
import type { Io, Sink } from '../io/io.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { NpyPrinter } from './npy.ts'
import type { EmbeddingPrinter } from './printer.ts'
import { RowPrinter, jsonArray, jsonLines } from './rows.ts'
import { WholePrinter } from './whole.ts'

export const embeddingFormats = ['jsonl', 'json', 'csv', 'npy'] as const

/** The options of a command that steer how embeddings are shown. */
export interface EmbeddingsView {
  readonly format?: (typeof embeddingFormats)[number]
  readonly withText?: boolean
  readonly compare?: boolean
  readonly json?: boolean
  readonly output?: string
  readonly usage?: boolean
}

/** The form that was named, else the one that the file's name tells. */
function formatOf({ format, output = '' }: EmbeddingsView): EmbeddingsView['format'] {
  return format ?? embeddingFormats.find((one) => output.endsWith(`.${one}`))
}

/** @throws UsageError for bytes on a terminal, and for texts beside them. */
export function checkEmbeddingsView(view: EmbeddingsView, out: Sink): void {
  if (view.withText && formatOf(view) === 'npy') {
    throw new UsageError('--format npy has no room for texts: leave --with-text out')
  }
  const isShown = out.isTerminal && (view.output ?? '-') === '-'
  if (view.format === 'npy' && isShown) {
    throw new UsageError('--format npy: not written to a terminal', { hint: 'write it to a file: -o vectors.npy' })
  }
}

export async function chooseEmbeddingPrinter(
  view: EmbeddingsView,
  out: Sink,
  { io, loadStyle }: { io: Io; loadStyle: LoadStyle },
): Promise<EmbeddingPrinter> {
  const hasText = view.withText ?? false
  const style = await loadStyle(out)
  if (view.compare) return new (await import('./compare.ts')).ComparePrinter(out, style, io.signal)
  if (view.json) return new WholePrinter(out)
  switch (formatOf(view) ?? (out.isTerminal ? 'summary' : 'jsonl')) {
    case 'summary':
      return new (await import('./summary.ts')).SummaryPrinter(out, style, hasText)
    case 'jsonl':
      return new RowPrinter(out, jsonLines, hasText)
    case 'json':
      return new RowPrinter(out, jsonArray, hasText)
    case 'csv':
      return new (await import('./csv.ts')).CsvPrinter(out, hasText)
    case 'npy':
      return new NpyPrinter(out)
  }
}
