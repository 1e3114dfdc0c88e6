/** What a person sees of a text and of the footer below it. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { terminalSink, type Io } from '../../../src/io/io.ts'
import { asSafeText, safe } from '../../../src/io/text/safe-text.ts'
import { choosePainter } from '../../../src/terminal/line-editor/ansi-painter.ts'
import type { FooterView, TerminalSize } from '../../../src/terminal/line-editor/layout.ts'
import { newTerminal } from '../../helpers/picture.ts'
import { terminalEnvironment } from '../../helpers/shell.ts'
import { view } from './marked.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const plain = <Text extends string>(shown: Text): Text => shown

const footer = (text: string, others: Partial<FooterView> = {}): FooterView => {
  return { line: view(text), isBusy: false, activity: undefined, status: [], queued: [], ...others }
}

function open(first: TerminalSize) {
  const terminal = newTerminal({ ...first, scrollback: 100 })
  let time = 0
  let writes = 0
  const write = async (text: string): Promise<void> => {
    writes += 1
    terminal.write(text.replaceAll(/\r?\n/g, '\r\n'))
  }
  const window = {
    get rows() {
      return terminal.rows
    },
  }
  const out = terminalSink(write, { columns: () => terminal.cols, window: window as never })
  const env = { TERM: 'xterm-256color', ...terminalEnvironment }
  const io = { env, out, elapsed: () => (time += 100) } as unknown as Io
  const painter = choosePainter(io, { dim: plain, bold: plain })
  return {
    terminal,
    painter,
    writes: () => writes,
    write: (text: string) => void painter.write(asSafeText(text)),
    wait: (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    /** All rows, of the scrollback too, without those at the end that are blank. */
    async rows(): Promise<string[]> {
      for (let round = 0; round < 5; round++) await new Promise(setImmediate)
      const parsed = new Promise<void>((resolve) => terminal.write('', resolve))
      vi.advanceTimersByTime(1)
      await parsed
      const { active } = terminal.buffer
      const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
      return rows.slice(0, rows.findLastIndex((row) => row.trim() !== '') + 1)
    },
  }
}

const size = { columns: 20, rows: 8 }
const full = 'y'.repeat(20)

test.each<[what: string, writes: string[], rows: string[]]>([
  ['a combining mark that arrives alone', ['e', `\u0301${full}\n`], ['e\u0301yyyyyyyyyyyyyyyyyyy', 'y']],
  [
    'a row of a table before a full row',
    [`│ 中\u001b[16G\u001b[K│word${full}`, 'a\n'],
    ['│ 中           │word', full, 'a'],
  ],
])('a text in parts, with a footer below it: %s', async (_what, writes, rows) => {
  const { painter, write, rows: shown } = open(size)
  for (const text of writes) {
    write(text)
    painter.show(footer('|', { isBusy: true }))
    await shown()
  }
  painter.close()
  expect(await shown()).toEqual(rows)
})

test('a footer that is taller than the next one leaves nothing behind', async () => {
  const { painter, rows } = open(size)
  painter.show(footer('d\ne|', { activity: safe`a`, queued: ['b', 'b', 'b', 'b'] }))
  await rows()
  painter.show(footer('|'))
  expect((await rows()).map((row) => row.trim())).toEqual(['>'])
})

test('a screen that is pushed several times at once is pushed in one write', async () => {
  const { painter, write, rows, writes, terminal } = open(size)
  painter.show(footer('|'))
  write('one\n')
  await rows()
  const before = writes()
  for (let times = 0; times < 12; times++) painter.pushScreen()
  expect((await rows()).map((row) => row.trim())).toEqual(['one', '>'])
  expect(writes() - before).toBeLessThanOrEqual(2)
  const { active } = terminal.buffer
  expect(active.getLine(active.baseY)?.translateToString(true).trim()).toBe('>')
})

test('a screen that is pushed just before the end has each character once', async () => {
  const { painter, write, rows } = open({ columns: 16, rows: 6 })
  write('⚠️https://a.bc/d_e')
  painter.pushScreen()
  painter.close()
  expect((await rows()).join('')).toBe('⚠️https://a.bc/d_e')
})

test('while the terminal is being resized, nothing is drawn, and nothing is lost', async () => {
  const { terminal, painter, write, wait, rows } = open({ columns: 40, rows: 8 })
  const shown = footer(`${'c'.repeat(30)}|`, { status: [asSafeText('§'.repeat(30))] })
  const resize = async (columns: number): Promise<string[]> => {
    await rows()
    terminal.resize(columns, 8)
    painter.show(shown)
    return rows()
  }
  write('one\ntw')
  painter.show(shown)
  expect(await resize(38)).toEqual(['one'])
  wait(200)
  expect(await resize(36)).toEqual(['one'])
  write('o\nthr')
  wait(290)
  expect(await rows()).toEqual(['one'])
  wait(10)
  expect(await rows()).toEqual(['one', 'two', 'thr', '§'.repeat(30), `> ${'c'.repeat(30)}`])
})

test('a line of several rows that is open at a pause is not cut in two', async () => {
  const { painter, write, rows } = open(size)
  write(`above\n${full}${full}`)
  await rows()
  painter.pause()
  write(`${full}z\n`)
  expect(await rows()).toEqual(['above'])
  painter.resume()
  painter.close()
  expect(await rows()).toEqual(['above', full, full, full, 'z'])
})

test('what another program wrote without a line end is no part of the text that goes on', async () => {
  const { painter, terminal, write, rows } = open(size)
  write('above\nFirst')
  painter.show(footer('|'))
  await rows()
  painter.pause()
  terminal.write('words of an editor')
  painter.resume()
  await rows()
  write(' second\n')
  painter.close()
  expect(await rows()).toEqual(['above', 'First second'])
})

test('a footer still fits on the screen when the terminal is half as wide', async () => {
  const { painter, rows } = open({ columns: 40, rows: 12 })
  painter.show(footer(`${'q'.repeat(600)}|`))
  const shown = await rows()
  expect(shown.reduce((sum, row) => sum + Math.ceil(row.length / 20), 0)).toBeLessThanOrEqual(12)
  expect(shown.length).toBeGreaterThan(3)
})
