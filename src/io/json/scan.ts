/** Reads JSON as text, without parsing it: how deep it is, where its numbers and values are. */

/** The offset of the quote that ends a string, or -1. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return -1
}

/** Whether arrays and objects are nested deeper than this. Of invalid JSON, it may be true or false. */
export function isDeeper(text: string, limit: number): boolean {
  if (!hasMoreBrackets(text, limit)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at = stringEnd(text, at)
      if (at === -1) return false
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** Whether a text has more opening brackets than this. Native searches spare most texts a loop over characters. */
function hasMoreBrackets(text: string, limit: number): boolean {
  let left = limit
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at !== -1 && left >= 0; at = text.indexOf(bracket, at + 1)) left--
  }
  return left < 0
}

/**
 * The number of values in a JSON text, without the names of objects, as far as it takes no more than one loop: an empty array
 * or object counts twice.
 */
export function countValues(text: string, limit = Infinity): number {
  let count = 1
  for (let at = 0; at < text.length && count <= limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at = stringEnd(text, at)
      if (at === -1) return count
    } else if (code === 0x2c || code === 0x5b || code === 0x7b) count++
  }
  return count
}

/** Visits the numbers in a JSON text. */
export function visitNumbers(text: string, visit: (number: string, start: number) => void): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at = stringEnd(text, at)
      if (at === -1) return
    } else if (startsNumber(code)) {
      const start = at
      while (continuesNumber(text.charCodeAt(at + 1))) at++
      visit(text.slice(start, at + 1), start)
    }
  }
}

/** A digit or a minus sign. */
function startsNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d
}

/** A digit, a sign, a point, and E or e. */
function continuesNumber(code: number): boolean {
  return startsNumber(code) || code === 0x2b || code === 0x2e || code === 0x45 || code === 0x65
}

/** The offset behind the value at an offset of valid JSON, for texts of which a part is passed on as it was written. */
export function valueEnd(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return stringEnd(text, at) + 1
  if (first !== '[' && first !== '{') return matchEnd(/[^\s,\]}]*/y, text, at)
  // Passes over numbers four times as fast as a loop over their characters.
  const bracket = /["[\]{}]/g
  bracket.lastIndex = at
  let depth = 0
  for (let found = bracket.exec(text); found; found = bracket.exec(text)) {
    const [character] = found
    if (character === '"') bracket.lastIndex = stringEnd(text, found.index) + 1
    else {
      depth += character === '[' || character === '{' ? 1 : -1
      if (depth === 0) return bracket.lastIndex
    }
  }
  return text.length
}

/**
 * Visits the elements of an array.
 * @param visit Gets the offset of an element. @returns the offset behind it.
 * @returns the offset behind the array.
 */
export function visitElements(text: string, start: number, visit: (at: number) => number): number {
  let at = spaceEnd(text, start + 1)
  while (text[at] !== ']' && text[at] !== '}') {
    at = spaceEnd(text, visit(at))
    if (text[at] === ',') at = spaceEnd(text, at + 1)
  }
  return at + 1
}

/** Visits the names and values of an object as `visitElements` does. A name may come again: its last value counts. */
export function visitMembers(text: string, start: number, visit: (name: string, at: number) => number): number {
  return visitElements(text, start, (at) => {
    const nameEnd = valueEnd(text, at)
    const colon = spaceEnd(text, nameEnd)
    return visit(JSON.parse(text.slice(at, nameEnd)) as string, spaceEnd(text, colon + 1))
  })
}

/** The offset of the first character that is not whitespace. */
function spaceEnd(text: string, at: number): number {
  return matchEnd(/\s*/y, text, at)
}

function matchEnd(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at
  sticky.test(text)
  return sticky.lastIndex
}
