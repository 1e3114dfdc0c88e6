/** `--compare`: the similarity of each text to every other. */

import type { Sink } from '../io/io.ts'
import { joinSafe, linesOf, safe, type SafeText, sanitizeForTerminal, sanitizeName } from '../io/text/safe-text.ts'
import { yieldToEventLoop } from '../io/time/abort-signal.ts'
import type { Style } from '../terminal/style.ts'
import { cutTo, widthOf } from '../terminal/width.ts'
import type { EmbeddedGroups } from './formats.ts'
import { directionOf, similaritiesOf } from './similarity.ts'
import { labelOf, paddedLabel } from './summary.ts'
import { append, largestOf } from '../io/arrays.ts'

/** The similarities of one text to all, by its index: together they may not fit into memory. */
type RowOf = (index: number) => readonly number[]

/** @param signal Stops the comparison, which is slow for thousands of texts. */
export async function writeComparison(
  groups: EmbeddedGroups,
  out: Sink,
  style: Style,
  signal: AbortSignal,
): Promise<void> {
  const directions: Float64Array[] = []
  const texts: string[] = []
  for await (const group of groups) {
    append(directions, group.vectors.map(directionOf))
    append(texts, group.texts)
  }
  const columns = out.columns()
  const rowOf: RowOf = (index) => similaritiesOf(index, directions)
  const lines = out.isTerminal
    ? (heatMap(rowOf, texts, columns, style) ?? nearestList(rowOf, texts, columns, style))
    : matrixLines(rowOf, texts.length)
  for (const line of lines) {
    await yieldToEventLoop(signal)
    await out.write(linesOf([line]))
  }
}

/** Tab-separated numbers, with the precision of 32-bit embeddings. */
function* matrixLines(rowOf: RowOf, count: number): Generator<SafeText> {
  for (let index = 0; index < count; index++) {
    const cosines = rowOf(index).map((cosine) => String(Number(cosine.toFixed(6))))
    yield sanitizeForTerminal(cosines.join('\t'))
  }
}

/** Width of a cell with a number, such as ` 0.87 `, and of one without. */
const numberWidth = 6
const shadeWidth = 2

const minLabelWidth = 8
const maxLabelWidth = 24

const shades = [...' ░▒▓█'].map(sanitizeName)

/**
 * Similarities as a matrix of cells: warmer is more similar. Without room for numbers, cells have a shade only.
 * @returns the lines, or `undefined` if there are too many texts for the terminal's width.
 */
function heatMap(rowOf: RowOf, texts: readonly string[], columns: number, style: Style): SafeText[] | undefined {
  const digits = String(texts.length - 1).length
  const labelRoom = (cell: number): number => columns - digits - 2 - cell * texts.length
  const cell = [numberWidth, shadeWidth].find((width) => labelRoom(width) >= minLabelWidth)
  if (cell === undefined) return undefined
  const labelWidth = largestOf(texts.map((text) => widthOf(labelOf(text, Math.min(maxLabelWidth, labelRoom(cell))))))
  const rows = texts.map((_, index) => rowOf(index))
  const paint = painter(rows, cell === numberWidth, style)
  const lines = rows.map((row, index) => {
    const label = paddedLabel(texts[index] ?? '', labelWidth)
    return safe`${style.dim(numberText(index, digits))} ${label} ${joinSafe(row.map(paint))}`
  })
  if (cell !== numberWidth) return lines
  const numbers = texts.map((_, index) => `${index} `.padStart(numberWidth))
  return [style.dim(sanitizeName(' '.repeat(digits + labelWidth + 2) + numbers.join(''))), ...lines]
}

/** Scales colors from the least similar pair to 1: real embeddings use a small part of the range. */
function painter(
  rows: readonly (readonly number[])[],
  hasNumbers: boolean,
  style: Style,
): (cosine: number) => SafeText {
  const minimum = rows.flat().reduce((least, cosine) => Math.min(least, cosine), 1)
  return (cosine) => {
    const share = minimum === 1 ? 1 : (cosine - minimum) / (1 - minimum)
    if (hasNumbers) return style.heat(sanitizeName(`${cosine.toFixed(2)} `).padStart(numberWidth), share)
    const shade = style.hasColor ? safe` ` : (shades[Math.round(share * (shades.length - 1))] ?? safe` `)
    return style.heat(shade.repeat(shadeWidth), share)
  }
}

/** For more texts than a matrix has room for: each text with the most similar one. */
function* nearestList(rowOf: RowOf, texts: readonly string[], columns: number, style: Style): Generator<SafeText> {
  const digits = String(texts.length - 1).length
  const fixed = ' 0.00  '.length + 2 * (digits + 1)
  const labelWidth = Math.max(1, Math.floor((columns - fixed) / 2))
  const name = (index: number): SafeText => {
    return safe`${style.dim(numberText(index, digits))} ${paddedLabel(texts[index] ?? '', labelWidth)}`
  }
  yield style.dim(cutTo(safe`each text, its similarity to the nearest text, and that text`, columns))
  for (const index of texts.keys()) {
    const [nearest, cosine] = nearestTo(index, rowOf(index))
    yield safe`${name(index)} ${sanitizeName(cosine.toFixed(2)).padStart(5)}  ${name(nearest)}`.trimEnd()
  }
}

function numberText(index: number, digits: number): SafeText {
  return safe`${index}`.padStart(digits)
}

function nearestTo(index: number, row: readonly number[]): [index: number, cosine: number] {
  let nearest = index === 0 ? 1 : 0
  for (const [other, cosine] of row.entries()) {
    if (other !== index && cosine > (row[nearest] ?? -1)) nearest = other
  }
  return [nearest, row[nearest] ?? 0]
}
