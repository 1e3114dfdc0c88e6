/** Similarities as a square of cells, the warmer the more alike; where numbers have no room, of shades alone. */

import type { Style } from '../terminal/style.ts'
import { widthOf } from '../terminal/width.ts'
import { labelOf, paddedLabel } from './label.ts'
import type { Similarities } from './similarity.ts'

/** Columns of a cell with a number, such as ` 0.87 `, and of one without. */
const numberWidth = 6
const shadeWidth = 2

/** Columns of a label: less says nothing, and more is not needed to tell the texts apart. */
const narrowest = 8
const widest = 24

const shades = [...' ░▒▓█']

/** @returns the lines, or nothing when there are more texts than a terminal of this width has room for. */
export function heatMap(
  similarities: Similarities,
  texts: readonly string[],
  columns: number,
  style: Style,
): string[] | undefined {
  const digits = String(texts.length - 1).length
  const room = (cell: number): number => columns - digits - 2 - cell * texts.length
  const cell = [numberWidth, shadeWidth].find((width) => room(width) >= narrowest)
  if (cell === undefined) return undefined
  const labelWidth = Math.max(...texts.map((text) => widthOf(labelOf(text, Math.min(widest, room(cell))))))
  const rows = texts.map((_, index) => similarities.row(index))
  const paint = painter(rows, cell === numberWidth, style)
  const lines = rows.map((row, index) => {
    const label = paddedLabel(texts[index] ?? '', labelWidth)
    return `${style.dim(String(index).padStart(digits))} ${label} ${row.map(paint).join('')}`
  })
  if (cell !== numberWidth) return lines
  const numbers = texts.map((_, index) => `${index} `.padStart(numberWidth))
  return [style.dim(' '.repeat(digits + labelWidth + 2) + numbers.join('')), ...lines]
}

/** From the least alike pair to likeness itself: real embeddings use a small part of the scale. */
function painter(rows: readonly number[][], hasNumbers: boolean, style: Style): (cosine: number) => string {
  const coldest = Math.min(...rows.flat())
  return (cosine) => {
    const share = coldest === 1 ? 1 : (cosine - coldest) / (1 - coldest)
    if (hasNumbers) return style.heat(`${cosine.toFixed(2)} `.padStart(numberWidth), share)
    const shade = style.hasColor ? ' ' : (shades[Math.round(share * (shades.length - 1))] ?? ' ')
    return style.heat(shade.repeat(shadeWidth), share)
  }
}
