/** Finds words that would be read otherwise than they are meant, in a command line that commander accepts. */

import { basename, dirname, extname, join } from 'node:path'
import type { AnyCommand } from '../command.ts'
import type { Invocation } from '../context.ts'
import { UsageError } from '../errors.ts'
import { flagOf, mergeRows, type Field, type Fields } from '../fields/field.ts'
import { specifiedEfforts } from '../fields/kinds.ts'
import type { Io } from '../io/io.ts'
import { shellWord } from '../io/text/shell-word.ts'
import { isFile } from '../io/files/stats.ts'
import { knownFlag, type KnownFlag, type Piece, piecesOf, takesValue } from './argv.ts'

/**
 * @param argv The whole command line.
 * @param rows All options and fields of the command and its subcommands.
 * @param command The subcommand, or the command itself.
 * @throws UsageError for an option in place of another one's value, as in `-o --json`; for `-o temperature 0.2`, `-o json` and
 *   `-t 0.2` of other programs; and for `-f *.txt` that a shell expanded.
 */
export function rejectMisreadValues(argv: readonly string[], rows: Fields, command: AnyCommand): void {
  const pieces = piecesOf(argv, rows)
  for (const [position, { word, known, takesNext, index }] of pieces.entries()) {
    const [value, next = ''] = argv.slice(index + 1, index + 3)
    if (!known || !takesNext || value === undefined) continue
    const { flag, row } = known
    const meant = flag === '--output' ? optionFor(value, next, mergeRows(command.options, command.fields)) : undefined
    if (meant !== undefined) {
      throw new UsageError(`${flag}: ${value} is the name of an option`, {
        hint: `use ${meant}; for a file of that name, use -o ./${value}`,
      })
    }
    if (flag === '--template' && /^[\d.]+$/.test(value)) {
      throw new UsageError(`${flag}: ${value} is a number`, { hint: `use --temperature ${value}` })
    }
    if (knownFlag(value, rows)) {
      throw new UsageError(`${flag}: missing value before ${value}`, {
        hint: `if ${value} is the value, write ${flag}=${value}`,
      })
    }
    if (!takesFiles(row)) continue
    const others = filesAfter(index + 2, pieces.slice(position + 1))
    if (others.length > 0) throw expandedPattern(word.startsWith('--') ? word : `-${word.at(-1)}`, value, others)
  }
}

/** The option that `-o KEY VALUE` of llm, or `-o FORMAT` of gemini, means. */
function optionFor(name: string, next: string, rows: Fields): string | undefined {
  const option = `--${name.replaceAll('_', '-')}`
  if (!knownFlag(option, rows)) return undefined
  if (/^jsonl?$/.test(name)) return option
  return /^(-?[\d.]+|true|false|low|medium|high)$/.test(next) ? `${option} ${next}` : undefined
}

function takesFiles(row: Field): boolean {
  return row.kind === 'texts' && row.completes === 'file'
}

/** The words from a place in the command line on, as long as each is a file: they would become text. */
function filesAfter(start: number, pieces: readonly Piece[]): string[] {
  const end = pieces.findIndex(({ index, word }, offset) => index !== start + offset || !isFile(word))
  return pieces.slice(0, end === -1 ? undefined : end).map(({ word }) => word)
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

/** A flag that takes no separate value, before a word that looks like one. */
export interface StrayValue {
  readonly known: KnownFlag
  /** The place of the word in the command line. */
  readonly index: number
  /** The flag that takes the word: `--reasoning-effort` for `--reasoning high`. */
  readonly meant?: string
}

/** The value that would become a word of the prompt, as in `--stream false hi`. */
export function strayValue(argv: readonly string[], rows: Fields): StrayValue | undefined {
  const pieces = piecesOf(argv, rows)
  for (const [position, { index, known, word, takesNext }] of pieces.entries()) {
    const next = pieces[position + 1]
    if (!known || takesNext || takesValue(known) || word.includes('=')) continue
    if (next?.isFlag !== false || next.index !== index + 1) continue
    const meant = longerFlag(known, next.word, rows)
    if (meant !== undefined) return { known, index: next.index, meant }
    const takesNumber = known.row.kind === 'boolean or number' && !known.isNegated
    const pattern = takesNumber ? /^(true|false|auto|always|never|\d+)$/ : /^(true|false|auto|always|never)$/
    if (pattern.test(next.word)) return { known, index: next.index }
  }
  return undefined
}

/** The flag whose name goes on where this one's ends, and that has the word among its choices. */
function longerFlag({ flag }: KnownFlag, word: string, rows: Fields): string | undefined {
  const wordsOf = (row: Field): readonly string[] =>
    row.completes === 'reasoning effort' ? specifiedEfforts : row.kind === 'text' ? (row.choices ?? []) : []
  const found = Object.entries(rows).find(
    ([name, row]) => flagOf(name).startsWith(`${flag}-`) && wordsOf(row).includes(word),
  )
  return found && flagOf(found[0])
}

/**
 * Whether a word may be such a value: the command takes any number of words, and it is not the only input. In
 * `syn chat --json true` it is the prompt.
 */
export function mayBeStray(
  { arguments: positionals, fields, options }: AnyCommand,
  { words, typed }: Invocation,
  io: Io,
): boolean {
  if (!positionals?.some(({ many }) => many)) return false
  const inputs = Object.entries(mergeRows(options, fields)).filter(
    ([name, row]) => name === 'body' || row.required || takesFiles(row),
  )
  const stdin = options?.stdin && (typed.get('stdin') ?? (io.in.kind === 'pipe' || io.in.kind === 'file'))
  return words.length > 1 || inputs.some(([name]) => typed.has(name)) || stdin === true || stdin === 'true'
}
