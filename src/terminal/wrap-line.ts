/** Wraps sentences without a package: help loads this file. */

/** A quote opens and closes at the edge of a word: an apostrophe inside of one does neither. */
const wordPattern = /(?:(?<![\p{L}\p{N}])(["'`])(?:(?!\1).)+\1(?![\p{L}\p{N}])|\S)+/gu

/** What a message begins with. Alone on a row it would say nothing. */
const labelPattern = /^(?:syn|hint):$/

/**
 * Wraps a line between its words, but never inside quotes, so that a command in them can be copied, and never after the
 * label of a message. A word wider than the line, such as a URL, gets a line of its own, which the terminal breaks.
 */
export function wrapLine(line: string, columns: number, widthOf = (text: string): number => text.length): string[] {
  const lines: string[] = []
  let used = 0
  for (const word of line.match(wordPattern) ?? []) {
    const width = widthOf(word)
    const isLabeled = lines.length === 1 && labelPattern.test(lines[0] ?? '')
    if (lines.length === 0 || (used + 1 + width > columns && !isLabeled)) {
      lines.push(word)
      used = width
    } else {
      lines.push(`${lines.pop()} ${word}`)
      used += 1 + width
    }
  }
  return lines
}
