/** The line as text that is never drawn again: what stands below all that was written, and the cursor in it. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { terminalSink } from '../../../src/io/io.ts'
import { safe } from '../../../src/io/text/safe-text.ts'
import { boundaryFrom } from '../../../src/terminal/graphemes.ts'
import { LinePainter } from '../../../src/terminal/line-editor/line-painter.ts'
import { newTerminal, pictureOf } from '../../helpers/picture.ts'
import { samples } from '../../helpers/samples.ts'

interface Edit {
  at: number
  removed: number
  added: string
  cursor: number
  index: number
}

/** The last rows, and the column of the cursor. */
async function drawn(views: readonly { text: string; cursor: number; index: number }[], columns: number) {
  const terminal = newTerminal({ columns, rows: 30 })
  let written = ''
  const sink = terminalSink((text) => Promise.resolve(void (written += text)), { columns: () => columns })
  const painter = new LinePainter(sink)
  for (const view of views) {
    const line = { prompt: safe`\u001b[1m› \u001b[22m`, note: undefined, ...view }
    painter.show({ line, isBusy: false, activity: undefined, status: [], queued: [] })
    await Promise.resolve()
  }
  await new Promise<void>((resolve) => terminal.write(written, resolve))
  return { lines: pictureOf(terminal, () => written).lines(), cursor: terminal.buffer.active.cursorX, written }
}

const unit = fc.constantFrom('a', 'b', ' ', '\n', '日', 'é', 'e\u0301', '\t')
const edits = fc.array(
  fc.record<Edit>({
    at: fc.nat({ max: 40 }),
    removed: fc.nat({ max: 4 }),
    added: fc.string({ unit, maxLength: 6 }),
    cursor: fc.nat({ max: 60 }),
    index: fc.nat({ max: 1 }),
  }),
  { minLength: 1, maxLength: 12 },
)

test('after any changes, the line is below, as if it had been written at once', async () => {
  const property = fc.asyncProperty(edits, fc.integer({ min: 12, max: 40 }), async (changes, columns) => {
    let text = ''
    const views = changes.map(({ at, removed, added, cursor, index }) => {
      const [start, end] = [boundaryFrom(text, at), boundaryFrom(text, at + removed)]
      text = text.slice(0, start) + added + text.slice(end)
      return { text, cursor: boundaryFrom(text, cursor), index }
    })
    const last = { text, cursor: text.length, index: 0 }
    const { lines, cursor, written } = await drawn([...views, last], columns)
    const whole = await drawn([last], columns)
    expect(lines.slice(-whole.lines.length)).toEqual(whole.lines)
    expect(cursor).toBe(whole.cursor)
    expect(written.replaceAll(/\u001b\[\d+m/g, '')).not.toContain('\u001b')
  })
  await fc.assert(property, samples(100))
})

test('typed text is written once, with its cursor where it was moved', async () => {
  const property = fc.asyncProperty(fc.string({ unit, maxLength: 25 }), fc.nat({ max: 25 }), async (text, at) => {
    const views = Array.from(text, (_, index) => text.slice(0, index + 1)).map((text) => ({
      text,
      cursor: text.length,
      index: 0,
    }))
    const { written } = await drawn(views, 1000)
    expect(written.split('›')).toHaveLength(text === '' ? 1 : 2)
    const cursor = boundaryFrom(text, Math.max(at, text.lastIndexOf('\n') + 1))
    const moved = await drawn([...views, { text, cursor, index: 0 }], 1000)
    const before = await drawn([{ text: text.slice(0, cursor), cursor, index: 0 }], 1000)
    expect(moved.cursor).toBe(before.cursor)
  })
  await fc.assert(property, samples(50))
})
