/** Refuses what would be a file by mistake: `-o --json`, and of other programs, `-o temperature 0.2` and `-o json`. */

import { UsageError } from '../errors.ts'
import type { AnyCommand } from '../command.ts'
import { mergeRows, type Fields } from '../fields/field.ts'
import { piecesOf } from './argv.ts'

/**
 * @param rows All options and fields of the command and its subcommands.
 * @param command The subcommand, or the command itself.
 * @throws UsageError for an option whose separate value is exactly an option of the command.
 */
export function rejectSwallowedOptions(argv: readonly string[], rows: Fields, command: AnyCommand): void {
  for (const { known, takesNext, index } of piecesOf(argv, rows)) {
    const [value, next = ''] = argv.slice(index + 1)
    if (!known || !takesNext || value === undefined) continue
    const meant =
      known.flag === '--output' ? optionFor(value, next, mergeRows(command.options, command.fields)) : undefined
    if (meant !== undefined) {
      throw new UsageError(`${known.flag}: ${value} is the name of an option`, {
        hint: `use ${meant}; for a file of that name, use -o ./${value}`,
      })
    }
    if (!isOption(value, rows)) continue
    throw new UsageError(`${known.flag}: missing value before ${value}`, {
      hint: `if ${value} is the value, write ${known.flag}=${value}`,
    })
  }
}

/** The option that `-o KEY VALUE` of llm, or `-o FORMAT` of gemini, means. */
function optionFor(name: string, next: string, rows: Fields): string | undefined {
  const [piece] = piecesOf([`--${name.replaceAll('_', '-')}`], rows)
  if (!piece?.known || piece.known.flag !== piece.word) return undefined
  if (/^jsonl?$/.test(name)) return piece.word
  return /^(-?[\d.]+|true|false|low|medium|high)$/.test(next) ? `${piece.word} ${next}` : undefined
}

function isOption(word: string, rows: Fields): boolean {
  const [piece] = piecesOf([word], rows)
  return piece?.known !== undefined && (word === piece.known.flag || word.length === 2)
}
