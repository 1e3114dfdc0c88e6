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
  if (isAscii(text, at) && (at + 1 >= text.length || isAscii(text, at + 1))) return at + 1
  for (const { segment } of segmenter.segment(text.slice(at, at + reach))) return at + segment.length
  return text.length
}

/** The boundary before one; 0 before the first. */
export function previousBoundary(text: string, at: number): number {
  if (at <= 1) return 0
  if (isAscii(text, at - 1) && isAscii(text, at - 2)) return at - 1
  const start = safeStart(text, at)
  let last = 0
  for (const { index } of segmenter.segment(text.slice(start, at))) last = index
  return start + last
}

/** The place itself where it is a boundary, or else the next one. */
export function boundaryFrom(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length)
  if (isAscii(text, at - 1) && isAscii(text, at)) return at
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

function isAscii(text: string, at: number): boolean {
  return text.charCodeAt(at) < 0x80
}
