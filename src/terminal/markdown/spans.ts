/** Code and formulas, which are shown as written up to their closing delimiter. */

interface Span {
  readonly opener: RegExp
  /** What may close it, or is an escape of two characters. */
  readonly candidate: RegExp
  /** Whether a candidate closes it; `undefined` if it proves that the opener is plain text. */
  isCloser(candidate: string, opener: string, before: string, after: string): boolean | undefined
}

/** In characters. A longer one is plain text. */
const longest = 2000

const spans: readonly Span[] = [
  { opener: /`+/y, candidate: /`+/g, isCloser: (candidate, opener) => candidate === opener },
  {
    opener: /\\[([]/y,
    candidate: /\\(?:[^]|$)/g,
    isCloser: (candidate, opener) => (/[([]/.test(candidate) ? undefined : candidate === closerOf(opener)),
  },
  { opener: /\$\$/y, candidate: /\\(?:[^]|$)|\$\$?/g, isCloser: (candidate) => candidate === '$$' },
  {
    // To tell formulas from prices: Pandoc's rule, and no backtick or `**` inside.
    opener: /\$(?=[^\s$])/y,
    candidate: /\\(?:[^]|$)|\$|`|\*\*/g,
    isCloser: (candidate, _opener, before, after) => {
      if (candidate.startsWith('\\')) return false
      return candidate === '$' && /\S/.test(before) && !/\d/.test(after) ? true : undefined
    },
  },
]

/**
 * @param isEnd Whether the text is complete.
 * @returns the end of the span at `at`; -1 if there is none; `undefined` if it depends on the text that follows.
 */
export function spanEnd(text: string, at: number, isEnd: boolean): number | undefined {
  if (!/[`\\$]/.test(text.charAt(at))) return -1
  const span = spans.find(({ opener }) => ((opener.lastIndex = at), opener.test(text)))
  const start = span?.opener.lastIndex ?? at + 1
  // The opener may become longer.
  if (start === text.length && !isEnd && start - at < longest) return undefined
  if (!span) return -1
  const opener = text.slice(at, start)
  span.candidate.lastIndex = start
  for (let found = span.candidate.exec(text); found; found = span.candidate.exec(text)) {
    const end = found.index + found[0].length
    if (end - at > longest) return -1
    if (end === text.length && !isEnd) return undefined
    const isCloser = span.isCloser(found[0], opener, text.charAt(found.index - 1), text.charAt(end))
    if (isCloser === undefined) return -1
    if (isCloser) return end
  }
  return isEnd || text.length - at > longest ? -1 : undefined
}

/** The opening delimiter of a formula at the start that may have several lines; `undefined` if there is none. */
export function displayOpener(text: string): string | undefined {
  const opener = text.slice(0, 2)
  return opener === '$$' || opener === '\\[' ? opener : undefined
}

/** @returns where a formula from an earlier line ends on this one; -1 if it does not. */
export function displayEnd(line: string, opener: string): number {
  const closer = closerOf(opener)
  for (const { 0: candidate, index } of line.matchAll(/\\[^]|\$\$/g)) {
    if (candidate === closer) return index + candidate.length
  }
  return -1
}

function closerOf(opener: string): string {
  return opener === '\\(' ? '\\)' : opener === '\\[' ? '\\]' : opener
}

/** The only HTML tag that is not shown as written: the cells of a table can have no other line break. */
const lineBreak = /<br[ \t]{0,9}\/?>/iy
const partialLineBreak = /<(?:b(?:r[ \t]{0,9}\/?)?)?$/iy

/** @returns the end of the tag; -1 if there is none; `undefined` if it depends on the text that follows. */
export function lineBreakEnd(text: string, at: number, isEnd: boolean): number | undefined {
  lineBreak.lastIndex = at
  if (lineBreak.test(text)) return lineBreak.lastIndex
  partialLineBreak.lastIndex = at
  return !isEnd && partialLineBreak.test(text) ? undefined : -1
}
