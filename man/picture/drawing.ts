/** A terminal as an SVG: each line of the screen is a line of the file. */

import type { IBuffer } from '@xterm/headless'
import { cursorRowOf, runsOf } from './cells.ts'
import { drawnRun } from './drawn-run.ts'
import { element } from './markup.ts'
import { cell, leftOf, letterSize, short, sizeOf, topOf } from './measures.ts'
import { text } from './palette.ts'
import { windowLines } from './window.ts'

const fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

/** @param title The title in the window's bar. */
export function drawing(buffer: IBuffer, columns: number, title: string): string {
  const lines = drawnLines(buffer)
  const { width, height } = sizeOf(columns, lines.length)
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const cursor = { x: short(leftOf(buffer.cursorX)), y: topOf(cursorRowOf(buffer)) + 1 }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${fonts}" font-size="${letterSize}" xml:space="preserve">`,
    element('title', {}, title),
    ...windowLines(width, height, title),
    ...lines,
    element('rect', { ...cursor, width: cell.width, height: cell.height - 2, fill: text }),
    '</svg>\n',
  ].join('\n')
}

/** The content of each line of the screen. */
export function drawnLines(buffer: IBuffer): string[] {
  return runsOf(buffer).map((runs, row) => runs.map((run) => drawnRun(run, row)).join(''))
}
