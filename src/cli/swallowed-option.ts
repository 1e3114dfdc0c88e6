/** Refuses an option in place of a value: `-o --json` would write a file with that name. */

import { UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { piecesOf } from './argv.ts'

/**
 * @param rows All options and fields of the command.
 * @throws UsageError for an option whose separate value is exactly an option of the command.
 */
export function rejectSwallowedOptions(argv: readonly string[], rows: Fields): void {
  for (const { known, takesNext, index } of piecesOf(argv, rows)) {
    const value = argv[index + 1]
    if (!known || !takesNext || value === undefined || !isOption(value, rows)) continue
    throw new UsageError(`${known.flag}: missing value before ${value}`, {
      hint: `if ${value} is the value, write ${known.flag}=${value}`,
    })
  }
}

function isOption(word: string, rows: Fields): boolean {
  const [piece] = piecesOf([word], rows)
  return piece?.known !== undefined && (word === piece.known.flag || word.length === 2)
}
