/** For more texts than a square has room for: each with the one that is most like it. */

import type { Style } from '../terminal/style.ts'
import { cutTo } from '../terminal/width.ts'
import { paddedLabel } from './label.ts'
import type { Similarities } from './similarity.ts'

export function* nearestList(
  similarities: Similarities,
  texts: readonly string[],
  columns: number,
  style: Style,
): Generator<string> {
  const digits = String(texts.length - 1).length
  const fixed = ' 0.00  '.length + 2 * (digits + 1)
  const labelWidth = Math.max(1, Math.floor((columns - fixed) / 2))
  const name = (index: number): string => {
    return `${style.dim(String(index).padStart(digits))} ${paddedLabel(texts[index] ?? '', labelWidth)}`
  }
  yield style.dim(cutTo('each text, its likeness to its nearest, and that', columns))
  for (const index of texts.keys()) {
    const [nearest, cosine] = nearestTo(index, similarities.row(index))
    yield `${name(index)} ${cosine.toFixed(2).padStart(5)}  ${name(nearest)}`.trimEnd()
  }
}

function nearestTo(index: number, row: readonly number[]): [index: number, cosine: number] {
  let nearest = index === 0 ? 1 : 0
  for (const [other, cosine] of row.entries()) {
    if (other !== index && cosine > (row[nearest] ?? -1)) nearest = other
  }
  return [nearest, row[nearest] ?? 0]
}
