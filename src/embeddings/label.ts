/** What a text is known by where many of them are shown: its beginning. */

import { harmlessName } from '../io/harmless.ts'
import { cutTo, widthOf } from '../terminal/width.ts'

/** On one line, and no wider than so many columns. */
export function labelOf(text: string, columns: number): string {
  return cutTo(harmlessName(text).trim(), columns)
}

/** The same, filled up to exactly so many columns. */
export function paddedLabel(text: string, columns: number): string {
  const label = labelOf(text, columns)
  return label + ' '.repeat(Math.max(0, columns - widthOf(label)))
}
