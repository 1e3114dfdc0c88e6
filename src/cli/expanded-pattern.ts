/** Refuses command lines in which a shell has expanded a pattern: `-f *.txt` is `-f a.txt b.txt` by then. */

import { basename, dirname, extname, join } from 'node:path'
import { UsageError } from '../errors.ts'
import type { Field, Fields } from '../fields/field.ts'
import { shellWord } from '../io/shell-word.ts'
import { isFile } from '../io/stats.ts'
import { piecesOf } from './argv.ts'

/**
 * @param argv The whole command line.
 * @param rows The options and fields of its command.
 * @throws UsageError if the words after the value of a flag for files are files too: they would become text.
 */
export function rejectExpandedPatterns(argv: readonly string[], rows: Fields): void {
  const pieces = piecesOf(argv, rows)
  for (const [position, { word, index, known, takesNext }] of pieces.entries()) {
    if (!known || !takesNext || !takesFiles(known.row)) continue
    const next = pieces.slice(position + 1)
    const end = next.findIndex((piece, offset) => piece.index !== index + 2 + offset || !isFile(piece.word))
    const others = (end === -1 ? next : next.slice(0, end)).map((piece) => piece.word)
    const flag = word.startsWith('--') ? word : `-${word.at(-1)}`
    if (others.length > 0) throw expandedPattern(flag, argv[index + 1] ?? '', others)
  }
}

function takesFiles(row: Field): boolean {
  return row.kind === 'texts' && row.completes === 'file'
}

/** In files; a pattern may match thousands. */
const maxShown = 3

function expandedPattern(flag: string, first: string, others: readonly string[]): UsageError {
  const files = [first, ...others]
  const shown = files.slice(0, maxShown).map((file) => `${flag} ${shellWord(file)}`)
  const line = files.length > maxShown ? `${shown.join(' ')} …` : shown.join(' ')
  const pattern = patternOf(files)
  const quoted = pattern === undefined ? '' : `, or quote a pattern: ${flag} ${shellWord(pattern)}`
  return new UsageError(`${flag} takes one file, but ${others[0]} after ${first} is a file too`, {
    hint: `repeat the flag: ${line}${quoted}`,
  })
}

/** The folder and extension that all files share, as in `src/*.ts`. Any other pattern would name files that were not typed. */
function patternOf(files: readonly string[]): string | undefined {
  const [pattern, ...others] = new Set(files.map((file) => join(dirname(file), `*${extname(file)}`)))
  // A shell expands `*` to no hidden file. A folder may have characters of a pattern.
  const isPlain = pattern !== undefined && others.length === 0 && !/[*?[\\]/.test(dirname(pattern))
  return isPlain && !pattern.endsWith('*') && !files.some((file) => basename(file).startsWith('.'))
    ? pattern
    : undefined
}
