import { borderPath, isBorder } from './borders.ts'
import type { Run } from './cells.ts'
import { element } from './markup.ts'
import { baselineOf, cell, leftOf, short, topOf } from './measures.ts'
import { groundOf, inkOf } from './palette.ts'

/** A run of cells as SVG: its background, then its letters or strokes. */
export function drawnRun(run: Run, row: number): string {
  const behind = groundOf(run.look)
  const box = { x: short(leftOf(run.column)), y: topOf(row), width: short(run.width * cell.width), height: cell.height }
  return (
    (behind === undefined ? '' : element('rect', { ...box, fill: behind })) +
    (isBorder(run.text) ? strokes(run, row) : letters(run, row))
  )
}

function strokes({ text, column, look }: Run, row: number): string {
  return element('path', { d: borderPath(text, column, row), stroke: inkOf(look) })
}

/** With any font, each run starts and ends where its cells do. */
function letters({ text, column, width, look }: Run, row: number): string {
  const lines = [...(look.isUnderlined ? ['underline'] : []), ...(look.isStruck ? ['line-through'] : [])].join(' ')
  return element(
    'text',
    {
      x: short(leftOf(column)),
      y: baselineOf(row),
      textLength: Array.from(text).length === 1 ? undefined : short(width * cell.width),
      fill: inkOf(look),
      'font-weight': look.isBold ? 'bold' : undefined,
      'font-style': look.isItalic ? 'italic' : undefined,
      'text-decoration': lines || undefined,
    },
    text,
  )
}
