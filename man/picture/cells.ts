/** The cells of a terminal as runs: adjacent characters with the same look. */

import type { IBuffer, IBufferCell, IBufferLine } from '@xterm/headless'
import { isBorder } from './borders.ts'
import { isSame, isSeenInSpaces, lookOf, type Look } from './look.ts'

export interface Run {
  readonly text: string
  /** Its first cell, counted from 0. */
  readonly column: number
  /** In cells. */
  readonly width: number
  readonly look: Look
}

/** The runs of each line, without the empty ones below the last and below the cursor. */
export function runsOf(buffer: IBuffer): Run[][] {
  const lines = Array.from({ length: buffer.length }, (_, row) => {
    const line = buffer.getLine(row)
    return line ? joined(cellsOf(line)).flatMap(seen) : []
  })
  const last = lines.findLastIndex((runs) => runs.length > 0)
  return lines.slice(0, Math.max(last, cursorRowOf(buffer)) + 1)
}

export function cursorRowOf(buffer: IBuffer): number {
  return buffer.baseY + buffer.cursorY
}

function cellsOf(line: IBufferLine): Run[] {
  return Array.from({ length: line.length }, (_, column) => line.getCell(column)).flatMap((cell, column) =>
    // The second half of a wide character is a cell without a width.
    cell && cell.getWidth() > 0 ? [runOf(cell, column)] : [],
  )
}

function runOf(cell: IBufferCell, column: number): Run {
  return { text: cell.getChars() || ' ', column, width: cell.getWidth(), look: lookOf(cell) }
}

function joined(cells: readonly Run[]): Run[] {
  const runs: Run[] = []
  let before: Run | undefined
  for (const cell of cells) {
    const last = runs.at(-1)
    if (last && before && isOfOneRun(before, cell)) {
      runs[runs.length - 1] = { ...last, text: last.text + cell.text, width: last.width + cell.width }
    } else runs.push(cell)
    before = cell
  }
  return runs
}

/** A wide character is a run of its own: no font draws it exactly twice as wide as the others. */
function isOfOneRun(one: Run, next: Run): boolean {
  const isNarrow = one.width === 1 && next.width === 1
  return isNarrow && isSame(one.look, next.look) && isBorder(one.text) === isBorder(next.text)
}

/** Without invisible spaces at both ends. */
function seen(run: Run): Run[] {
  if (isSeenInSpaces(run.look)) return [run]
  const text = run.text.trim()
  const before = run.text.length - run.text.trimStart().length
  const after = run.text.length - run.text.trimEnd().length
  return text === '' ? [] : [{ ...run, text, column: run.column + before, width: run.width - before - after }]
}
