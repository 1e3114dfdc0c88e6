/** Embeds a Markdown text in a document: demotes its headings, and closes open blocks. */

import { turn } from '../io/time/abort.ts'
import { BlockReader } from '../terminal/markdown/block-reader.ts'

const deepest = 6

/**
 * Lowers the headings by so many levels, and closes an open block so that it does not swallow what follows. Code, quotes
 * and lists are unchanged.
 * @throws the signal's reason if it aborts meanwhile.
 */
export async function demoteHeadings(text: string, levels: number, signal?: AbortSignal): Promise<string> {
  const heading = (depth: number, title: string): string =>
    `${'#'.repeat(Math.min(deepest, depth + levels))} ${title}`.trimEnd()
  const reader = new BlockReader({ isStrict: true })
  const output: string[] = []
  /** The lines of the latest paragraph: an underline turns them into a heading. */
  let paragraph: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    await turn(signal)
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
