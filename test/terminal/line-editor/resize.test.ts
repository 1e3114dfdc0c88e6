/** Where a frame stands once the terminal has another width. */

import { expect, test } from 'vitest'
import { erased, rowsAbove } from '../../../src/terminal/line-editor/painter.ts'
import { widthOf } from '../../../src/terminal/width.ts'

/** @param texts Of the rows, with a bar where the cursor stands. */
function above(texts: string[], columns: number, env: Record<string, string> = {}): number {
  const row = texts.findIndex((text) => text.includes('|'))
  const column = widthOf(texts[row]?.replace(/\|.*$/, '') ?? '')
  const rows = texts.map((text) => ({ lead: '', text: text.replace('|', '') }))
  return rowsAbove({ rows, cursor: { row, column } }, columns, env)
}

test.each<[texts: string[], columns: number, rows: number]>([
  [['12345678|'], 10, 0],
  [['12345678|'], 8, 0],
  [['1234|5678'], 4, 1],
  [['12345678|'], 4, 1],
  [['12345678|'], 3, 2],
  [['12345678', '12|'], 4, 2],
  [['12345678', '|'], 4, 2],
  [['12345678', '', '12|'], 100, 2],
  [['日本日本|'], 4, 1],
])('%j in %i columns', (texts, columns, rows) => {
  expect(above(texts, columns)).toBe(rows)
})

test.each<[terminal: string, env: Record<string, string>, rows: number]>([
  ['xterm', { XTERM_VERSION: 'XTerm(390)' }, 1],
  ['GNU screen', { STY: '1.pts' }, 1],
  ['the console', { TERM: 'linux' }, 1],
  ['xterm.js', { TERM_PROGRAM: 'vscode' }, 2],
  ['others', { TERM: 'xterm-256color' }, 3],
])('%s', (_terminal, env, rows) => {
  expect(above(['12345678', '12345678|'], 4, env)).toBe(rows)
})

test('what is erased is never taken for the whole screen, of which terminals keep a copy', () => {
  expect(erased(0)).toBe('\r\u001b[K\u001b[C\u001b[J\r')
  expect(erased(2)).toBe('\r\u001b[2A\u001b[K\u001b[C\u001b[J\r')
})
