/** Frames of which the terminal wraps the lines, as tmux does: see them on one that wraps anew. */

import xterm from '@xterm/headless'
import { describe, expect, test } from 'vitest'
import type { Io } from '../../../src/io/io.ts'
import { Painter } from '../../../src/conversation/line/painter.ts'
import { boundaryFrom } from '../../../src/conversation/line/graphemes.ts'

const plain = { dim: (text: string) => text }
const draft = 'the words of a draft that takes some rows of a narrow terminal'

/** A painter, and the terminal that it paints on. */
class Canvas {
  readonly written: string[] = []
  readonly #terminal: xterm.Terminal
  readonly #painter: Painter

  constructor(columns: number, env: Record<string, string> = { TMUX: '/tmp/tmux' }) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows: 12, allowProposedApi: true })
    const out = {
      isTerminal: true,
      columns: () => this.#terminal.cols,
      write: (text: string | Uint8Array) => {
        this.written.push(String(text))
        return new Promise<void>((resolve) => this.#terminal.write(text, resolve))
      },
    }
    this.#painter = new Painter({ env, out } as unknown as Io, plain)
    this.#terminal.write('above\r\n')
  }

  /** @param text With a bar where the cursor stands. */
  show(text: string, note?: string): void {
    const cursor = boundaryFrom(text, text.indexOf('|'))
    this.#painter.show({ prompt: '> ', text: text.replace('|', ''), cursor, note, choices: [] })
  }

  resize(columns: number): void {
    this.#terminal.resize(columns, 12)
  }

  /** The rows, with a bar where the cursor stands. */
  async rows(): Promise<string[]> {
    await new Promise<void>((resolve) => this.#terminal.write('', resolve))
    const { active } = this.#terminal.buffer
    const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
    const at = active.baseY + active.cursorY
    const row = (rows[at] ?? '').padEnd(active.cursorX)
    rows[at] = `${row.slice(0, active.cursorX)}|${row.slice(active.cursorX)}`
    return rows.slice(0, rows.findLastIndex((one) => one !== '') + 1)
  }
}

/** Whether the cursor stands at the end of a full row or behind it makes no difference. */
function withoutWaiting(rows: string[]): string {
  return rows.join('\n').replace(/(?<=^.{10})\n\|$/m, '|')
}

describe('whatever is typed, the rows are as elsewhere', () => {
  test.each([
    [['|', `${draft}|`]],
    [['12345678|', '123456789|', '12345678|', '1234567|']],
    [['123456789|', '1234|56789', 'x1234|56789', '|x123456789', '1234|']],
    [['12345678\n|', '12345678\nab|', '1234567|8\nab', '1234567\nab|']],
    [['123456789012345678|', '12345|', '12345日|', '12345日1234567890|', '12345678901|']],
    [['a|', '1234567890123456|\nb', '12345678901234567|\nb', '123456789012345678|\nb']],
  ])('%j', async (texts) => {
    const [wrapped, other] = [new Canvas(10), new Canvas(10, {})]
    for (const text of texts) {
      wrapped.show(text)
      other.show(text)
      expect(withoutWaiting(await wrapped.rows())).toEqual(withoutWaiting(await other.rows()))
    }
  })
})

test('what is typed on at the end is all that is written', () => {
  const canvas = new Canvas(40)
  canvas.show(`${draft}|`)
  canvas.show(`${draft}!|`)
  expect(canvas.written.at(-1)).toBe('!')
})

test('nothing is written when the terminal has wrapped the lines anew', () => {
  const canvas = new Canvas(40)
  canvas.show(`${draft}|`)
  const { length } = canvas.written
  for (const columns of [30, 25, 50, 40]) {
    canvas.resize(columns)
    canvas.show(`${draft}|`)
  }
  expect(canvas.written).toHaveLength(length)
})

test('behind a full row the cursor waits at its end, and what is typed goes on below', async () => {
  const canvas = new Canvas(40)
  canvas.show(`${'x'.repeat(28)}|`)
  canvas.resize(30)
  const { length } = canvas.written
  canvas.show(`${'x'.repeat(28)}|`)
  expect(canvas.written).toHaveLength(length)
  canvas.show(`${'x'.repeat(28)}ab|`)
  expect(await canvas.rows()).toEqual(['above', `> ${'x'.repeat(28)}`, 'ab|'])
})

test.each<[what: string, text: string, note: string | undefined]>([
  ['other characters', `日本 ${draft}|`, undefined],
  ['a note that another width cuts', `${draft}|`, 'a note that is too wide for thirty columns'],
])('all is drawn anew with %s', (_what, text, note) => {
  const canvas = new Canvas(45)
  canvas.show(text, note)
  canvas.resize(30)
  canvas.show(text, note)
  expect(canvas.written.at(-1)).toContain('> ')
})
