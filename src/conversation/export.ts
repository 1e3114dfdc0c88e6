/** The formats of files with a conversation: Markdown, HTML and JSON. */

import { extname } from 'node:path'
import { UsageError } from '../errors.ts'
import type { Sink } from '../io/io.ts'
import { writeJson, writeJsonLines } from '../io/json/print.ts'
import type { Transcript } from './transcript.ts'

export const exportFormats = ['md', 'html', 'json', 'jsonl'] as const

type ExportFormat = (typeof exportFormats)[number]

/**
 * The format of a file by its extension; Markdown for one without.
 * @param where The option or command, for errors.
 * @throws UsageError for another extension.
 */
export function exportFormatOf(file = '', where: string): ExportFormat {
  const extension = extname(file).slice(1).toLowerCase()
  if (/^(|markdown|txt)$/.test(extension)) return 'md'
  if (extension === 'htm') return 'html'
  const format = exportFormats.find((one) => one === extension)
  if (format !== undefined) return format
  throw new UsageError(`${where}: .${extension} is not a format for conversations; use .md, .html, .json or .jsonl`)
}

/** Writes a conversation in one of the formats for files. */
export async function writeExport(
  { lines, json }: Transcript,
  { format, title }: { readonly format: ExportFormat; readonly title: string },
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  if (format === 'json') return writeJson([...json], sink)
  if (format === 'jsonl') return writeJsonLines(json, sink)
  const write = format === 'md' ? (await import('./markdown.ts')).writeMarkdown : (await import('./html.ts')).writeHtml
  return write(title, lines, sink, signal)
}
