/** Formats token counts: a number, or lines as in `wc`. */

import { sanitizeName } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import { largestOf } from '../io/arrays.ts'

interface TokenCount {
  /** The file, if one was counted. */
  readonly file?: string | undefined
  readonly tokens: number
}

/** Several counts get names and a total. */
export function writeCounts(counts: readonly TokenCount[], sink: Sink): Promise<void> {
  const total = { file: 'total', tokens: totalOf(counts) }
  const rows: readonly TokenCount[] = counts.length > 1 ? [...counts, total] : [{ tokens: total.tokens }]
  const width = largestOf(rows.map(({ tokens }) => String(tokens).length))
  const lines = rows.map(({ file, tokens }) => {
    const name = file === undefined ? '' : ` ${sink.isTerminal ? sanitizeName(file) : file}`
    return `${String(tokens).padStart(width)}${name}\n`
  })
  return writeText(sink, lines.join(''))
}

export function totalOf(counts: readonly TokenCount[]): number {
  return counts.reduce((sum, { tokens }) => sum + tokens, 0)
}
