/** Marks the words of a query in what was found. */

/**
 * @param query Its words are sought whole, in upper or lower case; punctuation round them doesn't count.
 * @param mark Styles a word.
 */
export function wordMarker(query: string, mark: (word: string) => string): (text: string) => string {
  const words = query
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|["'’”»),.;:!?\]]+$/gu, ''))
    .filter(Boolean)
    // Of two that begin alike the longer one is meant where it stands.
    .toSorted((a, b) => b.length - a.length)
  if (words.length === 0) return (text) => text
  const alternatives = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}_])(?:${alternatives})(?![\p{L}\p{M}\p{N}_])`, 'giu')
  return (text) => text.replace(pattern, (word) => mark(word))
}
