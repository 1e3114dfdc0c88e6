/** Box-drawing characters as strokes: most fonts leave gaps between the rows, each in its own way. */

import { leftOf, short, topOf } from './measures.ts'

/** The sides that a character connects to the middle of its cell: up, right, down, left. */
const sides: Readonly<Record<string, string>> = {
  '─': 'rl',
  '│': 'ud',
  '┌': 'rd',
  '┐': 'dl',
  '└': 'ur',
  '┘': 'ul',
  '├': 'urd',
  '┤': 'udl',
  '┬': 'rdl',
  '┴': 'url',
  '┼': 'urdl',
}

/** Whether a text begins with a box-drawing character. */
export function isBorder(text: string): boolean {
  return text.charAt(0) in sides
}

/**
 * The path of a run of box-drawing characters.
 * @param column The column of the first one.
 */
export function borderPath(text: string, column: number, row: number): string {
  const [top, bottom] = [topOf(row), topOf(row + 1)]
  const middle = crisp((top + bottom) / 2)
  const across: { from: number; to: number }[] = []
  const down: string[] = []
  for (const [index, character] of Array.from(text).entries()) {
    const to = sides[character] ?? ''
    const [left, right] = [leftOf(column + index), leftOf(column + index + 1)]
    const center = crisp((left + right) / 2)
    if (/[lr]/.test(to)) lengthen(across, to.includes('l') ? left : center, to.includes('r') ? right : center)
    if (/[ud]/.test(to))
      down.push(`M${center} ${to.includes('u') ? top : middle}V${to.includes('d') ? bottom : middle}`)
  }
  return [...across.map(({ from, to }) => `M${short(from)} ${middle}H${short(to)}`), ...down].join('')
}

/** Joins strokes that touch. */
function lengthen(strokes: { from: number; to: number }[], from: number, to: number): void {
  const last = strokes.at(-1)
  if (last?.to === from) last.to = to
  else strokes.push({ from, to })
}

/** A stroke one pixel wide is sharp at half pixels. */
function crisp(position: number): number {
  return Math.floor(position) + 0.5
}
