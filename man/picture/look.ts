/** How a cell of the terminal looks, as the terminal describes it. */

import type { IBufferCell } from '@xterm/headless'

/** One of the terminal's own two colors, one of its 256 by number, or an exact one such as `#ff8800`. */
export type Ink = 'text' | 'ground' | number | `#${string}`

export interface Look {
  readonly ink: Ink
  readonly ground: Ink
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isStruck: boolean
}

export function lookOf(cell: IBufferCell): Look {
  const ink = foregroundOf(cell)
  const ground = backgroundOf(cell)
  const isInverse = cell.isInverse() !== 0
  return {
    ink: isInverse ? ground : ink,
    ground: isInverse ? ink : ground,
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
    isStruck: cell.isStrikethrough() !== 0,
  }
}

/** Whether a space with this look is visible. */
export function isSeenInSpaces({ ground, isUnderlined, isStruck }: Look): boolean {
  return ground !== 'ground' || isUnderlined || isStruck
}

export function isSame(one: Look, other: Look): boolean {
  return (Object.keys(one) as (keyof Look)[]).every((key) => one[key] === other[key])
}

function foregroundOf(cell: IBufferCell): Ink {
  if (cell.isFgDefault()) return 'text'
  return cell.isFgRGB() ? exact(cell.getFgColor()) : cell.getFgColor()
}

function backgroundOf(cell: IBufferCell): Ink {
  if (cell.isBgDefault()) return 'ground'
  return cell.isBgRGB() ? exact(cell.getBgColor()) : cell.getBgColor()
}

function exact(color: number): Ink {
  return `#${color.toString(16).padStart(6, '0')}`
}
