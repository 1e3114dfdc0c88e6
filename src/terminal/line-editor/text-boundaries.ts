/** What a person takes for one character: a letter with its accents, a family of emoji. Places are in UTF-16 units. */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * How much text the segmenter is given at a time: V8 goes through all of it for every single grapheme, so that
 * 180,000 characters took 78 seconds (Node 20).
 */
const reach = 256

export function* graphemes(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length;) {
    const end = nextBoundary(text, at)
    yield text.slice(at, end)
    at = end
  }
}

/** The boundary after one; the end of the text after the last. */
export function nextBoundary(text: string, at: number): number {
  if (isPlain(text, at) && (at + 1 >= text.length || isPlain(text, at + 1))) return at + 1
  for (const { segment } of segmenter.segment(text.slice(at, at + reach))) return at + segment.length
  return text.length
}

/** The boundary before one; 0 before the first. */
export function previousBoundary(text: string, at: number): number {
  if (at <= 1) return 0
  if (isPlain(text, at - 1) && isPlain(text, at - 2)) return at - 1
  const start = safeStart(text, at)
  let last = 0
  for (const { index } of segmenter.segment(text.slice(start, at))) last = index
  return start + last
}

/** The place itself where it is a boundary, or else the next one. */
export function boundaryFrom(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length)
  if (isPlain(text, at - 1) && isPlain(text, at)) return at
  const start = safeStart(text, at)
  for (const { index, segment } of segmenter.segment(text.slice(start, at + reach))) {
    if (start + index + segment.length > at) return start + index === at ? at : start + index + segment.length
  }
  return text.length
}

/** Where segmenting may begin: graphemes never reach across a line feed, and hardly one is longer than the reach. */
function safeStart(text: string, at: number): number {
  const start = Math.max(0, at - reach, text.lastIndexOf('\n', at - 1))
  const isInsidePair = /^[\udc00-\udfff]/.test(text.charAt(start))
  return isInsidePair && start > 0 ? start - 1 : start
}

/**
 * Whether it is a letter or sign to which nothing of its own kind is ever joined: between two of these there is a
 * boundary, and the segmenter need not be asked, which takes thousands of times as long.
 */
function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return plain.some(([first, last]) => code >= first && code <= last)
}

/** Latin, Greek, Cyrillic but for its combining signs, Japanese syllables, Chinese signs, whole Korean syllables. */
const plain = [
  [0x00, 0x2ff],
  [0x370, 0x482],
  [0x48a, 0x52f],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
] as const

/** Where words and lines begin and end. */

/** Whether a grapheme is part of what readline takes for a word: letters and digits. */
function isWord(grapheme: string): boolean {
  return /[\p{L}\p{N}]/u.test(grapheme)
}

function isBlank(grapheme: string): boolean {
  return /^\s/.test(grapheme)
}

export function wordStartBefore(text: string, at: number): number {
  const end = backWhile(text, at, (grapheme) => !isWord(grapheme))
  return backWhile(text, end, isWord)
}

export function wordEndAfter(text: string, at: number): number {
  return onWhile(text, wordStartAfter(text, at), isWord)
}

/** Where the next word begins; the place itself inside of one. */
export function wordStartAfter(text: string, at: number): number {
  return onWhile(text, at, (grapheme) => !isWord(grapheme))
}

/** Words here are whatever stands between blanks, as for the Ctrl-W of every shell. */
export function blankWordStartBefore(text: string, at: number): number {
  const end = backWhile(text, at, isBlank)
  return backWhile(text, end, (grapheme) => !isBlank(grapheme))
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function backWhile(text: string, from: number, holds: (grapheme: string) => boolean): number {
  let at = from
  while (at > 0) {
    const before = previousBoundary(text, at)
    if (!holds(text.slice(before, at))) break
    at = before
  }
  return at
}

function onWhile(text: string, from: number, holds: (grapheme: string) => boolean): number {
  let at = from
  while (at < text.length) {
    const after = nextBoundary(text, at)
    if (!holds(text.slice(at, after))) break
    at = after
  }
  return at
}
