/** The fenced code blocks of a Markdown text, for `--extract` and for the code that a chat copies or saves. */

import { BlockReader, type BlockEvent } from './block-reader.ts'

/** The contents of the blocks, each line with its line feed. A block without a closing fence extends to the end. */
export function fencedBlocks(markdown: string): string[] {
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
  for (const line of lines) collect(reader.take(line))
  collect(reader.close())
  return blocks
}

/** The first or the last fenced code block that is not blank, if there is one. */
export function fencedBlock(markdown: string, position: 'first' | 'last'): string | undefined {
  const blocks = fencedBlocks(markdown).filter((block) => block.trim() !== '')
  return position === 'first' ? blocks[0] : blocks.at(-1)
}
