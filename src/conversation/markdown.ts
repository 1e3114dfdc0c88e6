/** A conversation as a Markdown document: its roles are headings of level 2, and those in the texts are below them. */

import { type Sink, writeText } from '../io/io.ts'
import { yieldIfDue } from '../io/time/abort-signal.ts'
import { BlockReader } from '../terminal/markdown/block-reader.ts'
import { headingOf, type TranscriptLine } from './transcript.ts'

/** @throws the signal's reason if it aborts meanwhile. */
export async function writeMarkdown(
  title: string,
  transcript: readonly TranscriptLine[],
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  const parts: string[] = []
  for (const { role, text, error, label } of transcript) {
    const heading = `## ${headingOf(role)}${label === undefined ? '' : ` (${label})`}`
    const body = text === '' ? [] : [await demoteHeadings(text.replace(/\n+$/, ''), signal)]
    const remark = error === undefined ? [] : [`*Incomplete: ${error}*`]
    parts.push([heading, ...body, ...remark].join('\n\n'))
  }
  await writeText(sink, `${[`# ${title}`, ...parts].join('\n\n')}\n`)
}

/** Demotes headings, and closes an open block, so that it does not swallow what follows. Code, quotes and lists are unchanged. */
export async function demoteHeadings(text: string, signal?: AbortSignal): Promise<string> {
  // Below those of the roles, down to the last level.
  const heading = (depth: number, title: string): string => `${'#'.repeat(Math.min(6, depth + 2))} ${title}`.trimEnd()
  const reader = new BlockReader({ isStrict: true })
  const output: string[] = []
  /** The lines of the latest paragraph: an underline turns them into a heading. */
  let paragraph: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    await yieldIfDue(signal)
    output.push(line)
    for (const event of reader.take(line) ?? []) {
      if (event.kind === 'text') paragraph.push(event.text.trim())
      else if (event.kind !== 'end' && event.kind !== 'underline') paragraph = []
      if (reader.depth > 0) continue
      if (event.kind === 'heading') output[output.length - 1] = heading(event.depth, event.text)
      if (event.kind === 'underline') {
        output.length -= paragraph.length + 1
        output.push(heading(event.depth, paragraph.join(' ')))
      }
    }
  }
  const { missingEnd } = reader
  return [...output, ...(reader.depth === 0 && missingEnd !== undefined ? [missingEnd] : [])].join('\n')
}
