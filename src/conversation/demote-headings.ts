/** A Markdown text as part of another. */

import { Lexer, type Token } from 'marked'

const deepest = 6

/** What goes on to the end of the document where its own end is missing, and what ends it. */
const openEnded: readonly { begin: RegExp; end: (begun: string) => string }[] = [
  { begin: /^ {0,3}<(script|pre|style|textarea)\b/i, end: (tag) => `</${tag}>` },
  { begin: /^ {0,3}<!(--)/, end: () => '-->' },
  { begin: /^ {0,3}<(\?)/, end: () => '?>' },
  { begin: /^ {0,3}<!\[(CDATA)\[/, end: () => ']]>' },
]

/**
 * The same text with its headings so many levels lower, ended so that whatever follows it is not part of it. What stands
 * in code, quotes and lists stays as it is.
 */
export function subordinate(text: string, levels: number): string {
  // marked takes a fence with a tab behind it for one that ends nothing, and others don't.
  const plain = text.replaceAll(/\r\n|\r/g, '\n').replaceAll(/^( {0,3}(?:`{3,}|~{3,}))[ \t]+$/gm, '$1')
  const tokens = new Lexer({ gfm: true }).blockTokens(plain, [])
  const lowered = tokens.map((token) => (token.type === 'heading' ? heading(token, levels) : token.raw)).join('')
  const last = tokens.findLast(({ type }) => type !== 'space')
  const missing =
    last?.type === 'code' ? missingFence(last.raw) : last?.type === 'html' ? missingTag(last.raw) : undefined
  return missing === undefined ? lowered : `${lowered}\n${missing}`
}

/** Also one that is underlined: there are but two levels of these. */
function heading({ raw, depth, text }: Token & { depth?: number; text?: string }, levels: number): string {
  const marks = '#'.repeat(Math.min(deepest, (depth ?? 1) + levels))
  const [gap = ''] = /\n*$/.exec(raw) ?? []
  return `${`${marks} ${text?.replace(/\n/g, ' ') ?? ''}`.trimEnd()}${gap}`
}

/** Code that is indented has none. */
function missingFence(block: string): string | undefined {
  const [, fence] = /^ {0,3}(`{3,}|~{3,})/.exec(block) ?? []
  if (fence === undefined) return undefined
  return new RegExp(`\\n {0,3}${fence}+\\s*$`).test(block) ? undefined : fence
}

function missingTag(block: string): string | undefined {
  for (const { begin, end } of openEnded) {
    const [found, begun] = begin.exec(block) ?? []
    if (found === undefined || begun === undefined) continue
    const mark = end(begun)
    return block.slice(found.length).toLowerCase().includes(mark.toLowerCase()) ? undefined : mark
  }
  return undefined
}
