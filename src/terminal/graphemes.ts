/**
 * Grapheme clusters (UAX #29), such as a letter with its accents, or an emoji of several code points. Positions are in UTF-16
 * units. The only use of the segmenter, whose time grows with the square of the text.
 */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
let wordSegmenter: Intl.Segmenter | undefined

/** The words and what is between them; also of scripts without spaces. @param text At most a few thousand characters. */
export function dictionaryWords(text: string): string[] {
  wordSegmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  return Array.from(wordSegmenter.segment(text), ({ segment }) => segment)
}

/**
 * Length of the text passed to the segmenter: V8 scans all of it for every grapheme, so that 180,000 characters took 78
 * seconds (Node 20). A longer cluster, such as a letter with 300 accents, counts as several.
 */
const segmentLength = 256

export function* graphemes(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length;) {
    const start = at
    while (isPlain(text, at) && (at + 1 >= text.length || isPlain(text, at + 1))) yield text.charAt(at++)
    // One call for many clusters: it takes 7 µs, and 1 µs for each cluster.
    let last = ''
    for (const { segment } of segmenter.segment(text.slice(at, at + segmentLength))) {
      if (last !== '') yield last
      at += last.length
      last = segment
    }
    // The last cluster may continue after the slice.
    if (at > start && at + last.length < text.length) continue
    const end = outsidePair(text, at + last.length)
    if (end > at) yield text.slice(at, end)
    at = end
  }
}

/** The next grapheme boundary after `at`, at most the end of the text. */
export function nextBoundary(text: string, at: number): number {
  if (isPlain(text, at) && (at + 1 >= text.length || isPlain(text, at + 1))) return at + 1
  for (const { segment } of segmenter.segment(text.slice(at, at + segmentLength))) {
    return outsidePair(text, at + segment.length)
  }
  return text.length
}

/** The last grapheme boundary before `at`, at least 0. */
export function previousBoundary(text: string, at: number): number {
  if (at <= 1) return 0
  if (isPlain(text, at - 1) && isPlain(text, at - 2)) return at - 1
  const start = safeStart(text, at)
  let last = 0
  for (const { index } of segmenter.segment(text.slice(start, at))) last = index
  return start + last
}

const inEmoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Variation_Selector}\u20e3]/u

/** What Backspace deletes up to: an emoji as a whole, of others the last code point, such as a vowel sign or an accent. */
export function backspaceFrom(text: string, at: number): number {
  const start = previousBoundary(text, at)
  return inEmoji.test(text.slice(start, at)) ? start : Math.max(start, outsidePair(text, at - 1))
}

/** The first grapheme boundary at or after `at`. */
export function boundaryFrom(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length)
  if (isPlain(text, at - 1) && isPlain(text, at)) return at
  const start = safeStart(text, at)
  for (const { index, segment } of segmenter.segment(text.slice(start, at + segmentLength))) {
    if (start + index + segment.length > at) return start + index === at ? at : start + index + segment.length
  }
  return text.length
}

/** A position to start segmenting: no grapheme spans a line feed, and hardly any is longer than a segment. */
function safeStart(text: string, at: number): number {
  return outsidePair(text, Math.max(0, at - segmentLength, text.lastIndexOf('\n', at - 1)))
}

/** The position, or the one before it if it is between the halves of a code point. */
function outsidePair(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at
}

/**
 * Whether there is always a boundary between this character and another plain one. The segmenter, which takes thousands
 * of times as long, is not needed then.
 */
function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return plainRanges.some(([first, last]) => code >= first && code <= last)
}

/** Latin, Greek, Cyrillic except its combining signs, kana, CJK ideographs, precomposed Hangul syllables. */
const plainRanges = [
  [0x00, 0x2ff],
  [0x370, 0x482],
  [0x48a, 0x52f],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
] as const
