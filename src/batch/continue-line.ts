import { typedLine } from '../io/shell-word.ts'

/**
 * The command line that continues a run.
 * @param argv As typed, after the program's name.
 * @param spool The copy of an input that can be read only once.
 */
export function continueLine(argv: readonly string[], spool: string | undefined): string {
  const words = argv.filter((word) => word !== '--restart' && !(spool !== undefined && word === '-'))
  return typedLine(['syn', ...words, ...(spool === undefined ? [] : [spool])])
}
