/** The layout of the line being edited. */

import { describe, expect, test } from 'vitest'
import { layOutFrame, layOutSent, layOutText, type LineView } from '../../../src/terminal/line-editor/layout.ts'
import { boundaryFrom, graphemes } from '../../../src/terminal/graphemes.ts'
import { listOf, view } from './marked.ts'

const plain = (text: string): string => text

/** The rows of a frame, with a bar at the cursor. */
function drawn(view: LineView, columns: number, rows = 24): string[] {
  const frame = layOutFrame(view, { columns, rows }, plain)
  return frame.rows.map(({ lead, text }, row) => {
    const whole = lead + text
    return row === frame.cursor.row ? withBar(whole, frame.cursor.column) : whole
  })
}

function withBar(row: string, column: number): string {
  let at = 0
  let passed = 0
  for (const grapheme of graphemes(row)) {
    if (passed >= column) break
    passed += /[日本語👍]/u.test(grapheme) ? 2 : 1
    at += grapheme.length
  }
  return `${row.slice(0, at)}|${row.slice(at)}`
}

const lines = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`).join('\n')

test.each<[text: string, columns: number, rows: string[]]>([
  ['|', 10, ['> |']],
  ['12345678|', 10, ['> 12345678', '|']],
  ['日本語日本語|', 9, ['> 日本語', '日本語|']],
  ['\t|\u0301', 4, ['> ', '    ', '|\u0301']],
])('%j in %i columns', (text, columns, rows) => {
  expect(drawn(view(text), columns)).toEqual(rows)
})

describe('a long text', () => {
  test('is shown around the cursor', () => {
    const rows = drawn(view(`${lines(1, 100)}|\n${lines(101, 500)}`), 80)
    expect([rows.length, rows[0], rows[7], rows.at(-1)]).toEqual([
      14,
      '> … 93 more lines',
      '  line 100|',
      '  … 395 more lines',
    ])
  })

  test('of one line is also shown around the cursor', () => {
    const rows = drawn(view(`${'x'.repeat(200_010)}|`), 80)
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([
      13,
      expect.stringMatching(/^> … 199,?\d+ more characters$/),
      expect.stringMatching(/^x+\|$/),
    ])
  })

  test.each([['lines', `${lines(1, 30_000)}\n`]])('is laid out only around the cursor: %s', (_what, text) => {
    const cells = 14 * 80
    for (const cursor of [0, text.length / 2, text.length]) {
      const { rows } = layOutText(text, boundaryFrom(text, cursor), cells, { columns: 80, indent: 2 })
      expect((rows.at(-1)?.end ?? 0) - (rows[0]?.start ?? 0)).toBeLessThan(5 * cells)
    }
  })
})

test('sent text is left to the terminal to wrap', () => {
  const sent = layOutSent(
    view('a long line\nand 日本語日本語 more\n\n|'),
    { columns: 10, rows: 24 },
    { dim: plain, bold: plain },
  )
  expect(sent).toBe('> a long line\n  and 日本語日本語 more')
})

test.each<[what: string, others: Partial<LineView>, columns: number, rows: string[]]>([
  [
    'a note in several rows',
    { note: 'press Ctrl-C again to exit' },
    10,
    ['> |', 'press', 'Ctrl-C', 'again to', 'exit'],
  ],
  ['a truncated note', { note: 'a b c d e f' }, 1, ['|', 'a', 'b', 'c', '…']],
  ['a note instead of a list', { note: 'a', list: listOf(['b']) }, 40, ['> |', 'a']],
])('below the text: %s', (_what, others, columns, rows) => {
  expect(drawn(view('|', others), columns)).toEqual(rows)
})
