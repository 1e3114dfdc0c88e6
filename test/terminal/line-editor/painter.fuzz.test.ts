/** The escape sequences that draw a frame, and its position after a resize. */

import xterm from '@xterm/headless'
import fc from 'fast-check'
import { safe } from '../../../src/io/text/safe-text.ts'
import { expect, test } from 'vitest'
import { emptyFrame, layOutFrame } from '../../../src/terminal/line-editor/layout.ts'
import { eraseSequence, rowsAboveCursor, updateSequence } from '../../../src/terminal/line-editor/ansi-painter.ts'
import { boundaryFrom } from '../../../src/terminal/graphemes.ts'
import { widthOf } from '../../../src/terminal/width.ts'
import { listOf } from './marked.ts'
import { samples } from '../../helpers/samples.ts'

const plain = (text: string): string => text

test('bytes that update a frame result in the same screen as those that draw it', async () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\n', '日', '👍', 'e\u0301', '\t', '\u0007'),
    maxLength: 60,
  })
  const one = fc.record({
    text,
    at: fc.nat({ max: 60 }),
    note: fc.option(fc.constant('a note below the text'), { nil: undefined }),
    names: fc.array(text, { maxLength: 12 }),
  })
  const property = fc.asyncProperty(
    fc.array(one, { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 4, max: 30 }),
    async (views, columns) => {
      const frames = views.map(({ text, at, note, names }) => {
        const cursor = boundaryFrom(text, at)
        const line = { prompt: safe`> `, text, cursor, note, list: listOf(names) }
        return layOutFrame(line, { columns, rows: 20 }, plain)
      })
      const last = frames.at(-1) ?? emptyFrame
      let before = emptyFrame
      const steps = frames.map((frame) => {
        const step = updateSequence(before, frame)
        before = frame
        return step
      })
      const whole = await screenAfter(updateSequence(emptyFrame, last), columns)
      expect(await screenAfter(steps.join(''), columns)).toEqual(whole)
      expect(
        await screenAfter(
          `${steps.join('')}${eraseSequence(last.cursor.row)}${updateSequence(emptyFrame, last)}`,
          columns,
        ),
      ).toEqual(whole)
    },
  )
  await fc.assert(property, samples(13))
})

/** The screen and the cursor after writing bytes below an existing line. */
async function screenAfter(bytes: string, columns: number): Promise<unknown> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 24, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(`before\r\n${bytes}`, resolve))
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true).trimEnd())
  return { rows, cursor: [active.cursorX, active.baseY + active.cursorY] }
}

/** @param texts The rows, with a bar at the cursor. */
function above(texts: string[], after: number, env: Record<string, string> = {}): number {
  const row = texts.findIndex((text) => text.includes('|'))
  const column = widthOf(texts[row]?.replace(/\|.*$/, '') ?? '')
  const rows = texts.map((text) => ({ lead: '', text: text.replace('|', '') }))
  return rowsAboveCursor({ rows, cursor: { row, column } }, { before: 10, after }, env)
}

test.each<[texts: string[], columns: number, rows: number]>([
  [['1234|5678'], 4, 1],
  [['12345678|'], 3, 2],
  [['12345678', '12|'], 4, 2],
  [['日本日本|'], 4, 1],
])('%j in %i columns', (texts, columns, rows) => {
  expect(above(texts, columns)).toBe(rows)
})

test.each<[terminal: string, env: Record<string, string>, rows: number]>([
  ['xterm', { XTERM_VERSION: 'XTerm(390)' }, 1],
  ['GNU screen in xterm', { XTERM_VERSION: 'XTerm(390)', STY: '1.pts' }, 3],
  ['xterm.js', { TERM_PROGRAM: 'vscode' }, 2],
  ['others', { TERM: 'xterm-256color' }, 3],
])('%s', (_terminal, env, rows) => {
  expect(above(['12345678', '12345678|'], 4, env)).toBe(rows)
})

test('erasing never looks like clearing the screen, which terminals copy to the scrollback', () => {
  expect(eraseSequence(0)).toBe('\r\u001b[K\u001b[C\u001b[J\r')
  expect(eraseSequence(2)).toBe('\r\u001b[2A\u001b[K\u001b[C\u001b[J\r')
})
