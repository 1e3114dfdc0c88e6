// What may stand before a fence: the indent, quote marks and list markers of the blocks it is in.
const openingFence = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})(.*)$/
const closingFence = /^ {0,3}(`{3,}|~{3,})[ \t]*$/

/** The quotes and the indent that each line of a code block begins with, because of the blocks around it. */
interface Surroundings {
  readonly quotes: number
  readonly indent: number
}

/**
 * The contents of the fenced code blocks of a Markdown text, in order (CommonMark 4.5): a fence closes with at least as
 * many of the same character, and one that never closes reaches to the end. Fences in lists and quotes count too.
 */
export function fencedBlocks(markdown: string): string[] {
  const blocks: string[] = []
  let open: { marker: string; around: Surroundings; lines: string[] } | undefined
  const lines = markdown.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) {
    if (open) {
      const inner = withoutSurroundings(line, open.around)
      if (closingFence.exec(inner)?.[1]?.startsWith(open.marker)) {
        blocks.push(open.lines.join(''))
        open = undefined
      } else open.lines.push(`${inner}\n`)
      continue
    }
    const [, before = '', marker = '', info = ''] = openingFence.exec(line) ?? []
    // A backtick fence's info holds no backtick: such a line is inline code.
    const isOpening = marker !== '' && !(marker.startsWith('`') && info.includes('`'))
    if (isOpening) open = { marker, around: surroundingsOf(before), lines: [] }
  }
  if (open) blocks.push(open.lines.join(''))
  return blocks
}

/** The first or the last of a text's fenced code blocks, when it has any. */
export function fencedBlock(markdown: string, position: 'first' | 'last'): string | undefined {
  const blocks = fencedBlocks(markdown)
  return position === 'first' ? blocks[0] : blocks.at(-1)
}

function surroundingsOf(before: string): Surroundings {
  return { quotes: before.split('>').length - 1, indent: before.replace(/^.*> ?/, '').length }
}

/** Takes away at most as much as stood before the fence. */
function withoutSurroundings(line: string, { quotes, indent }: Surroundings): string {
  let rest = line
  for (let quote = 0; quote < quotes; quote++) rest = rest.replace(/^[ \t]*> ?/, '')
  const own = /^[ \t]*/.exec(rest)?.[0].length ?? 0
  return rest.slice(Math.min(own, indent))
}
