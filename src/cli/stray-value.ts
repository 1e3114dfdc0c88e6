/** Finds a word that looks like the value of the flag before it, but would become text: `--stream false hi`. */

import type { AnyCommand } from '../command.ts'
import type { Invocation } from '../context.ts'
import { flagOf, mergeRows, type Fields } from '../fields/field.ts'
import type { Io } from '../io/io.ts'
import { type KnownFlag, piecesOf, takesValue } from './argv.ts'

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
  const found = Object.entries(rows).find(
    ([name, row]) => flagOf(name).startsWith(`${flag}-`) && row.kind === 'text' && row.choices?.includes(word),
  )
  return found && flagOf(found[0])
}

/**
 * Whether a word may be such a value: the command takes any number of words, and it is not the only input. In
 * `syn chat --json true` it is the prompt.
 */
export function mayBeStray(
  { arguments: positionals, fields, options }: AnyCommand,
  invocation: Invocation,
  io: Io,
): boolean {
  const { words, typed } = invocation
  if (!positionals?.some(({ many }) => many)) return false
  const rows = Object.entries(mergeRows(options, fields))
  const inputs = rows.filter(
    ([name, row]) => name === 'body' || row.required || (row.kind === 'texts' && row.completes === 'file'),
  )
  return words.length > 1 || inputs.some(([name]) => typed.has(name)) || readsStdin()

  function readsStdin(): boolean {
    const stdin = options?.stdin && (typed.get('stdin') ?? (io.in.kind === 'pipe' || io.in.kind === 'file'))
    return stdin === true || stdin === 'true'
  }
}
