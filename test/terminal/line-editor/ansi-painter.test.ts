/** Texts and footers that were drawn wrongly: the terminal ends up with the rows of the text alone. */

import { expect, test } from 'vitest'
import { asSafeText, safe } from '../../../src/io/safe-text.ts'
import type { FooterView } from '../../../src/terminal/line-editor/footer-layout.ts'
import { expectRowsOfText, linesOf, Painted, rowsAlone, rowsOf, type Operation, type Part } from './painted.ts'
import { view } from './marked.ts'

const size = { columns: 20, rows: 8 }
const full: Part = { times: 1, more: 0 }

const write = (...parts: Part[]): Operation => ({ does: 'write', parts })
const settle: Operation = { does: 'settle' }
const show = (others: Partial<FooterView> = {}): Operation => ({
  does: 'show',
  view: { line: view('|'), isBusy: false, activity: undefined, status: [], queued: [], returned: [], ...others },
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
    [
      show({ activity: safe`a`, queued: ['b', 'b', 'b', 'b'], returned: ['c', 'c'], line: view('d\ne|') }),
      settle,
      show(),
    ],
  ],
  ['a full row with an emoji that the terminal draws wider', [write(full, '👩‍🚀')]],
  ['the same, drawn before', [write({ times: 1, more: -1 }, '👩‍🚀'), settle]],
  ['a combining mark that arrives alone', [write('e'), settle, write('\u0301', full, '\n')]],
  ['a variation selector that begins a row', [write('\n\ufe0f'), settle, write('😀'), write('\n')]],
  ['a full row after a table', [write('│ ⚠️\u001b[16G\u001b[K│word', full), settle, write('a\n')]],
])('%s', async (_title, operations) => {
  await expectRowsOfText(await painted(operations), size)
})

test('an open line of uncertain width that is longer than a row is shown, broken between words', async () => {
  const open = new Painted(size)
  const operations = [show(), write('😀 one two three'), settle, write(' four five six '), settle]
  for (const operation of operations) await open.perform(operation)
  expect(rowsOf(open.terminal).map(({ text }) => text)).toEqual(['😀 one two three', 'four five six', '>'])
  for (const operation of [write('seven\u0301 eight nine ten eleven'), settle]) await open.perform(operation)
  await open.close()
  const rows = ['😀 one two three', 'four five six seven\u0301', 'eight nine ten', 'eleven']
  expect(rowsOf(open.terminal).map(({ text }) => text)).toEqual(rows)
})

test('rows below the cursor that are wrapped by a resize', async () => {
  const choices = ['one', 'another', 'third']
  const to = { columns: 20, rows: 8 }
  const { terminal, text, resizes } = await painted([
    write('a\n'),
    show(),
    { does: 'resize', to: { columns: 30, rows: 8 }, isLate: false },
    show({ line: view('|', { choices }) }),
    { does: 'resize', to, isLate: false },
  ])
  expect(resizes).toBe(2)
  expect(linesOf(rowsOf(terminal))).toEqual(linesOf(await rowsAlone(text, to)))
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

test.each<[next: string, operations: Operation[]]>([
  ['a text', [write('b\n')]],
  ['the end', []],
  ['a pause', [{ does: 'pause' }]],
])('a resize of which the event comes later than %s', async (_next, operations) => {
  const to = { columns: 20, rows: 8 }
  const open = new Painted({ columns: 40, rows: 8 })
  const before = [write('a\n'), show({ activity: asSafeText('§'.repeat(35)), line: view('ccc|') }), settle]
  for (const operation of [...before, { does: 'resize', to, isLate: true } as const, ...operations])
    await open.perform(operation)
  await open.close()
  expect(open.resizes).toBe(1)
  expect(rowsOf(open.terminal)).toEqual(await rowsAlone(open.text, to))
})
