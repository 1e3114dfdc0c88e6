/** The fenced code blocks of a Markdown text, for `--extract` and for the code that a chat copies or saves. */

import { turn } from '../../io/time/abort.ts'
import { BlockReader, type BlockEvent } from './block-reader.ts'

/**
 * The contents of the blocks that are not blank, each line with its line feed. A block without a closing fence extends to the end.
 * @throws the signal's reason if it aborts meanwhile.
 */
export async function fencedBlocks(markdown: string, signal?: AbortSignal): Promise<string[]> {
  const reader = new BlockReader()
  const blocks: string[] = []
  let open: string[] | undefined
  const collect = (events: readonly BlockEvent[] = []): void => {
    for (const event of events) {
      if (event.kind === 'fence') open = []
      else if (event.kind === 'code') open?.push(`${event.text}\n`)
      else if (event.kind === 'end' && event.block === 'fence') blocks.push((open ?? []).join(''))
    }
  }
  const lines = markdown.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) {
    collect(reader.take(line))
    await turn(signal)
  }
  collect(reader.close())
  return blocks.filter((block) => block.trim() !== '')
}
