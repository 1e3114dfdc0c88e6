/** Texts and footers that were drawn wrongly: the terminal ends up with the rows of the text alone. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asSafeText, safe } from '../../../src/io/text/safe-text.ts'
import type { FooterView } from '../../../src/terminal/line-editor/layout.ts'
import { expectRowsOfText, Painted, rowsAlone, rowsOf, type Operation, type Part } from './painted.ts'
import { view } from './marked.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const size = { columns: 20, rows: 8 }
const full: Part = { times: 1, more: 0 }

const write = (...parts: Part[]): Operation => ({ does: 'write', parts })
const settle: Operation = { does: 'settle' }
const show = (others: Partial<FooterView> = {}): Operation => ({
  does: 'show',
  view: { line: view('|'), isBusy: false, activity: undefined, status: [], queued: [], ...others },
})

async function painted(operations: readonly Operation[]): Promise<Painted> {
  const painted = new Painted(size)
  for (const operation of operations) await painted.perform(operation)
  await painted.close()
  return painted
}

test.each<[title: string, operations: Operation[]]>([
  [
    'a footer that would be taller than the screen',
    [show({ activity: safe`a`, queued: ['b', 'b', 'b', 'b'], line: view('d\ne|') }), settle, show()],
  ],
  ['a full row with an emoji that the terminal draws wider', [write(full, '👩‍🚀')]],
  ['a combining mark that arrives alone', [write('e'), settle, write('\u0301', full, '\n')]],
  ['a full row after a table', [write('│ ⚠️\u001b[16G\u001b[K│word', full), settle, write('a\n')]],
])('%s', async (_title, operations) => {
  await expectRowsOfText(await painted(operations), size)
})

test('a screen that is pushed several times at once is pushed in one write, without the text that comes later', async () => {
  const open = new Painted(size)
  for (const operation of [show(), write('one\n'), settle, write('two\n')]) await open.perform(operation)
  const before = open.writes
  for (let times = 0; times < 12; times++) await open.perform({ does: 'pushScreen' })
  for (const operation of [write('three\n'), settle]) await open.perform(operation)
  expect(open.writes - before).toBeLessThanOrEqual(2)
  const { active } = open.terminal.buffer
  expect(rowsOf(open.terminal).map(({ text }) => text)).toEqual(['one', 'two', 'three', '>'])
  expect(active.getLine(active.baseY)?.translateToString(true)).toBe('three')
})

test('a resize of which the event comes later than a text', async () => {
  const to = { columns: 20, rows: 8 }
  const open = new Painted({ columns: 40, rows: 8 })
  const before = [write('a\n'), show({ activity: asSafeText('§'.repeat(35)), line: view('ccc|') }), settle]
  const resize: Operation = { does: 'resize', to, isLate: true }
  for (const operation of [...before, resize, write('b\n')]) await open.perform(operation)
  await open.close()
  expect(open.resizes).toBe(1)
  expect(rowsOf(open.terminal)).toEqual(await rowsAlone(open.text, to))
})

test('while the terminal is being resized, nothing is drawn, and nothing is lost', async () => {
  const open = new Painted({ columns: 40, rows: 8 })
  const perform = async (...operations: Operation[]): Promise<string[]> => {
    for (const operation of operations) await open.perform(operation)
    return rowsOf(open.terminal).map(({ text }) => text)
  }
  const resize = (columns: number): Operation => ({ does: 'resize', to: { columns, rows: 8 }, isLate: false })
  const wait = (milliseconds: number): Operation => ({ does: 'wait', milliseconds })
  const footer = show({ status: [asSafeText('§'.repeat(30))], line: view('c'.repeat(30) + '|') })
  await perform(write('one\ntw'), footer, settle)
  expect(await perform(resize(38))).toEqual(['one'])
  expect(await perform(wait(200), resize(36), write('o\nthr'), wait(299))).toEqual(['one'])
  expect(await perform(wait(1))).toEqual(['one', 'two', 'thr', '§'.repeat(30), `> ${'c'.repeat(30)}`])
  expect(await perform(resize(34), write('ee\n'), { does: 'pause' })).toEqual(['one', 'two', 'three'])
})

test('a line of several rows that is open at a pause is not cut in two', async () => {
  const [before, after] = ['y'.repeat(50), 'z'.repeat(50)]
  const open = new Painted(size)
  const pause: Operation[] = [write('above\n', before), settle, { does: 'pause' }, write(after, '\n')]
  for (const operation of pause) await open.perform(operation)
  expect(rowsOf(open.terminal).map(({ text }) => text)).toEqual(['above'])
  await open.perform({ does: 'resume', isElsewhere: true })
  await open.close()
  expect(open.text).toBe(`above\nelsewhere\n${before}${after}\n`)
  expect(rowsOf(open.terminal)).toEqual(await rowsAlone(open.text, size))
})

test('a footer still fits on the screen when the terminal is half as wide', async () => {
  const open = new Painted({ columns: 40, rows: 12 })
  for (const operation of [show({ line: view(`${'q'.repeat(600)}|`) }), settle]) await open.perform(operation)
  const rows = rowsOf(open.terminal).map(({ text }) => text)
  expect(rows.reduce((sum, row) => sum + Math.ceil(row.length / 20), 0)).toBeLessThanOrEqual(12)
  expect(rows.length).toBeGreaterThan(3)
})
