/** Quotes and list items: what stands before the lines within them, in the source and on the screen. */

import { widthOf } from '../width.ts'
import { dropColumns, indentOf, type Rest } from './rest.ts'
import type { Theme } from './theme.ts'

/** A container as a line of the source opens it. */
export type Opening =
  | { readonly kind: 'quote' }
  | {
      readonly kind: 'item'
      /** The bullet, or what stands after the number: items of one list have the same. */
      readonly delimiter: string
      readonly number: number | undefined
      /** Columns that lines of its content are indented by. */
      readonly indent: number
      readonly isDone: boolean | undefined
    }

export interface Decoration {
  readonly text: string
  readonly width: number
}

export interface Container {
  readonly opening: Opening
  /** The number that is shown, which may be greater than the one in the source. */
  readonly number: number | undefined
  /** Before its first line, and before all that follow. */
  readonly first: Decoration
  readonly rest: Decoration
  /** Whether the first line was shown. */
  isBegun: boolean
}

/** @returns what is left of a line within the container; nothing when the line is not in it. */
export function enter({ opening }: Container, rest: Rest): Rest | undefined {
  const indent = indentOf(rest)
  if (opening.kind === 'quote') return indent <= 3 ? afterQuoteMark(dropColumns(rest, indent)) : undefined
  if (rest.text.trim() === '') return { ...rest, text: '' }
  return indent >= opening.indent ? dropColumns(rest, opening.indent) : undefined
}

/** @param rest Without its indent. */
export function afterQuoteMark({ text, column }: Rest): Rest | undefined {
  if (!text.startsWith('>')) return undefined
  const inner = { text: text.slice(1), column: column + 1 }
  return indentOf(inner) > 0 ? dropColumns(inner, 1) : inner
}

const bullets = ['•', '◦', '▪'] as const

/**
 * @param depth How many list items it is in.
 * @param before The item before it, when that stands at the same place.
 */
export function makeContainer(opening: Opening, depth: number, before: Container | undefined, theme: Theme): Container {
  if (opening.kind === 'quote') {
    const bar = decoration(theme.bar('│'))
    return { opening, number: undefined, first: bar, rest: bar, isBegun: false }
  }
  const number = opening.number === undefined ? undefined : Math.max(opening.number, leastAfter(before, opening))
  const box = opening.isDone === undefined ? undefined : opening.isDone ? '☑' : '☐'
  // Lists up to 99 have their numbers one below the other.
  const marker = number === undefined ? undefined : `${number}${opening.delimiter}`.padStart(3)
  const bullet = marker === undefined && box === undefined ? bullets[depth % bullets.length] : undefined
  const shown = [marker, box, bullet].filter((part) => part !== undefined).join(' ')
  const first = decoration(theme.bullet(shown))
  return { opening, number, first, rest: { text: ' '.repeat(first.width), width: first.width }, isBegun: false }
}

function decoration(text: string): Decoration {
  return { text: `${text} `, width: widthOf(text) + 1 }
}

/** Numbers count on where the source does not. Unlike CommonMark (5.3) it may leave some out: they mean something. */
function leastAfter(before: Container | undefined, { delimiter }: { delimiter: string }): number {
  if (before?.opening.kind !== 'item' || before.opening.delimiter !== delimiter) return 0
  return before.number === undefined ? 0 : before.number + 1
}
