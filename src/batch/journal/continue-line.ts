import { typedLine } from '../../io/shell-word.ts'

/**
 * How to continue a run: the command line, or, if it cannot be shown whole, that it is the same.
 * @param argv As typed, after the program's name.
 * @param copy Of an input that can be read only once: its path, and the word that it takes the place of.
 */
export function continueLine(argv: readonly string[], copy?: { spool: string; input: string | undefined }): string {
  const words = argv.filter((word) => word !== '--restart')
  if (copy) {
    const at = copy.input === undefined ? -1 : words.indexOf(copy.input)
    words.splice(at === -1 ? words.length : at, 1, copy.spool)
  }
  // As long as it is: it is there to be copied.
  const line = typedLine(['syn', ...words], Infinity)
  // In place of several lines, or what looks like a key.
  if (!line.includes('…')) return line
  return `repeat the command${copy ? ` with ${copy.spool} as the input` : ''}`
}
