/** Splits a command line into words as shells do, without expanding or running anything in it. */

/** A quoted part, which may have no end yet, an escaped character, a redirection, white space, or other text. */
const parts = /'([^']*)'?|"((?:[^"\\]|\\[^])*)"?|\\([^]?)|(?:\d|&)?([<>])[<>&|]*|(\s+)|([^'"\\<>\s])/g

/**
 * @param line Up to the cursor.
 * @returns `words`: those that are complete, without the targets of redirections. `current`: the word at the cursor, empty after
 *   a space. `isRedirected`: whether that is the target of a redirection, as after `<`.
 */
export function splitLine(line: string) {
  const words: string[] = []
  let [current, hasWord, isRedirected] = ['', false, false]
  const end = (): void => {
    if (hasWord && !isRedirected) words.push(current)
    if (hasWord) isRedirected = false
    ;[current, hasWord] = ['', false]
  }
  for (const [, single, double, escaped, redirection, space, other] of line.matchAll(parts)) {
    if (space !== undefined) end()
    else if (redirection !== undefined) {
      end()
      isRedirected = true
    } else {
      hasWord = true
      current += single ?? double?.replaceAll(/\\([^])/g, '$1') ?? escaped ?? other ?? ''
    }
  }
  return { words, current, isRedirected }
}
