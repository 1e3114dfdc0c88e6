/**
 * What stands as it is between two delimiters: code and mathematics. Whoever holds text back and whoever reads it in the end
 * both ask here.
 */

interface Span {
  readonly opener: RegExp
  /** What may end it, or belongs together within it. */
  readonly candidate: RegExp
  /** Whether a candidate ends it; nothing where it proves that there was no beginning. */
  isCloser(candidate: string, opener: string, before: string, after: string): boolean | undefined
  /** Behind so many characters nobody ends it any more. */
  readonly longest: number
}

const longest = 2000

const spans: readonly Span[] = [
  { opener: /`+/y, candidate: /`+/g, isCloser: (candidate, opener) => candidate === opener, longest },
  {
    opener: /\\[([]/y,
    candidate: /\\(?:[^]|$)/g,
    isCloser: (candidate, opener) => (/[([]/.test(candidate) ? undefined : candidate === closerOf(opener)),
    longest,
  },
  { opener: /\$\$/y, candidate: /\\(?:[^]|$)|\$\$?/g, isCloser: (candidate) => candidate === '$$', longest },
  {
    // The rule of Pandoc, so that prices are none; nor is what code or strong text begins or ends in.
    opener: /\$(?=[^\s$])/y,
    candidate: /\\(?:[^]|$)|\$|`|\*\*/g,
    isCloser: (candidate, _opener, before, after) => {
      if (candidate.startsWith('\\')) return false
      return candidate === '$' && /\S/.test(before) && !/\d/.test(after) ? true : undefined
    },
    // A price must not hold its whole line.
    longest: 200,
  },
]

/**
 * @param isEnd Whether nothing follows the text.
 * @returns where the span ends that begins there; -1 where none does; nothing when that depends on what follows.
 */
export function spanEnd(text: string, at: number, isEnd: boolean): number | undefined {
  if (!/[`\\$]/.test(text.charAt(at))) return -1
  const span = spans.find(({ opener }) => ((opener.lastIndex = at), opener.test(text)))
  const start = span?.opener.lastIndex ?? at + 1
  // The opener itself may become longer.
  if (start === text.length && !isEnd && start - at < longest) return undefined
  if (!span) return -1
  const opener = text.slice(at, start)
  span.candidate.lastIndex = start
  for (let found = span.candidate.exec(text); found; found = span.candidate.exec(text)) {
    const end = found.index + found[0].length
    if (end - at > span.longest) return -1
    if (end === text.length && !isEnd) return undefined
    const isCloser = span.isCloser(found[0], opener, text.charAt(found.index - 1), text.charAt(end))
    if (isCloser === undefined) return -1
    if (isCloser) return end
  }
  return isEnd || text.length - at > span.longest ? -1 : undefined
}

/** The delimiter of formulas that may take several lines, where there is one. */
export function displayOpener(text: string, at: number): string | undefined {
  const opener = text.slice(at, at + 2)
  return opener === '$$' || opener === '\\[' ? opener : undefined
}

/** @returns where a formula that was begun on a line before ends on this one; -1 where it does not. */
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

/** A line break in HTML: the only tag that Markdown leaves to authors for want of its own, in tables. */
const lineBreak = /<br[ \t]{0,9}\/?>/iy
const lineBreakBegun = /<(?:b(?:r[ \t]{0,9}\/?)?)?$/iy

/** @returns where the tag ends; -1 where there is none; nothing when that depends on what follows. */
export function lineBreakEnd(text: string, at: number, isEnd: boolean): number | undefined {
  lineBreak.lastIndex = at
  if (lineBreak.test(text)) return lineBreak.lastIndex
  lineBreakBegun.lastIndex = at
  return !isEnd && lineBreakBegun.test(text) ? undefined : -1
}
