import { typedLine } from '../io/shell-word.ts'

/**
 * How to continue a run: the command line, or, if it cannot be shown whole, that it is the same.
 * @param argv As typed, after the program's name.
 * @param spool The copy of an input that can be read only once.
 */
export function continueLine(argv: readonly string[], spool: string | undefined): string {
  const words = argv.filter((word) => word !== '--restart' && !(spool !== undefined && word === '-'))
  const line = typedLine(['syn', ...words, ...(spool === undefined ? [] : [spool])])
  // In place of a long word, several lines, or what looks like a key.
  if (!line.includes('…')) return line
  return `repeat the command${spool === undefined ? '' : ` with ${spool} as the input`}`
}
