/** A Markdown text as part of another: its headings below those of the document, and nothing left open. */

import { BlockReader } from '../terminal/markdown/block-reader.ts'

const deepest = 6

/**
 * The same text with its headings so many levels lower, ended so that what follows it is not part of it. Code, quotes and
 * lists stay as they are.
 */
export function demoteHeadings(text: string, levels: number): string {
  const heading = (depth: number, title: string): string =>
    `${'#'.repeat(Math.min(deepest, depth + levels))} ${title}`.trimEnd()
  const reader = new BlockReader({ isStrict: true })
  const written: string[] = []
  /** The lines of the latest paragraph, which an underline makes a heading of. */
  let paragraph: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    written.push(line)
    for (const event of reader.take(line) ?? []) {
      if (event.kind === 'text') paragraph.push(event.text.trim())
      else if (event.kind !== 'end' && event.kind !== 'underline') paragraph = []
      if (reader.depth > 0) continue
      if (event.kind === 'heading') written[written.length - 1] = heading(event.depth, event.text)
      if (event.kind === 'underline') {
        written.length -= paragraph.length + 1
        written.push(heading(event.depth, paragraph.join(' ')))
      }
    }
  }
  const { missingEnd } = reader
  return [...written, ...(reader.depth === 0 && missingEnd !== undefined ? [missingEnd] : [])].join('\n')
}
