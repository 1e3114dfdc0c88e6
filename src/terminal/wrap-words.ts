/** Wraps unstyled text, such as notices, to a width. */

import { asSafeAs } from '../io/text/safe-text.ts'
import { widthOf } from './width.ts'
import { wrapLine } from './wrap-line.ts'

/** In characters: the terminal wraps a longer text. To measure 100,000 characters may take a second. */
export const longestWrapped = 10_000

/** Wraps unstyled sentences that are to be copied, as `wrapLine` does. A line that fits is unchanged. */
export function wrapWords<Text extends string>(text: Text, columns: number): Text[] {
  const isKept = (line: string): boolean => line.length > longestWrapped || widthOf(line) <= columns
  const lines = text.split('\n').flatMap((line) => (isKept(line) ? [line] : wrapLine(line, columns, widthOf)))
  return lines.map((line) => asSafeAs(text, line))
}
