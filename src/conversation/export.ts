/** The formats of files with a conversation: Markdown, HTML and JSON. */

import { extname } from 'node:path'
import { UsageError } from '../errors.ts'
import { type Sink, writeText } from '../io/io.ts'
import { writeJson, writeJsonLines } from '../io/json/print.ts'
import { headingOf, type Transcript, type TranscriptLine } from './transcript.ts'

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
  if (format === 'md') return writeMarkdown(title, lines, sink)
  return (await import('./html.ts')).writeHtml(title, lines, sink, signal)
}

/** The roles are headings of level 2, above the texts as they were written. */
async function writeMarkdown(title: string, transcript: readonly TranscriptLine[], sink: Sink): Promise<void> {
  const parts = transcript.map(({ role, text, error, label }) => {
    const heading = `## ${headingOf(role)}${label === undefined ? '' : ` (${label})`}`
    const body = text === '' ? [] : [text.replace(/\n+$/, '')]
    const remark = error === undefined ? [] : [`*Incomplete: ${error}*`]
    return [heading, ...body, ...remark].join('\n\n')
  })
  await writeText(sink, `${[`# ${title}`, ...parts].join('\n\n')}\n`)
}
