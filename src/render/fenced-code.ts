/**
 * The contents of the fenced code blocks of a Markdown text, in order (CommonMark 4.5): a fence closes with at least as
 * many of the same character, and one that never closes reaches to the end. Fences in lists and quotes count too.
 */
export function fencedBlocks(markdown: string): string[] {
  const blocks: string[] = []
  let fence: { marker: string; indent: number; lines: string[] } | undefined
  for (const line of markdown.split(/\r?\n/)) {
    const [, before = '', marker = '', info = ''] = /^((?:[ \t]|> ?)*)(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (!fence) {
      // A backtick fence's info holds no backtick: such a line is inline code.
      const isOpening = marker !== '' && !(marker.startsWith('`') && info.includes('`'))
      if (isOpening) fence = { marker, indent: before.length, lines: [] }
    } else if (marker.startsWith(fence.marker) && info.trim() === '') {
      blocks.push(fence.lines.join(''))
      fence = undefined
    } else fence.lines.push(`${withoutIndent(line, fence.indent)}\n`)
  }
  if (fence) blocks.push(fence.lines.join('').replace(/\n$/, ''))
  return blocks
}

/** Takes away at most as much as stood before the fence. */
function withoutIndent(line: string, indent: number): string {
  const own = /^(?:[ \t]|> ?)*/.exec(line)?.[0].length ?? 0
  return line.slice(Math.min(own, indent))
}
