/** Rows of words: tab-separated for other programs, and in columns for people. */

import { largestOf } from '../io/arrays.ts'
import { type Sink, writeText } from '../io/io.ts'

/** One row per line. Tabs and line breaks inside a value become spaces. */
export function tabSeparated(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map((value) => value.replace(/[\t\r\n]/g, ' ')).join('\t')}\n`).join('')
}

/** Columns on a terminal, tab-separated elsewhere. */
export async function writeColumns(rows: readonly (readonly string[])[], sink: Sink): Promise<void> {
  if (!sink.isTerminal) return writeText(sink, tabSeparated(rows))
  const widths = (rows[0] ?? []).map((_cell, column) => largestOf(rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
  await writeText(sink, lines.map((line) => `${line.trimEnd()}\n`).join(''))
}
