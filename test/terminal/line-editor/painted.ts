/** The painter of the input line on a terminal in memory. */

import type { Terminal } from '@xterm/headless'
import { expect, vi } from 'vitest'
import { terminalSink, type Io } from '../../../src/io/io.ts'
import { asSafeText, safe } from '../../../src/io/text/safe-text.ts'
import { choosePainter } from '../../../src/terminal/line-editor/ansi-painter.ts'
import { type FooterView, layOutSent, type TerminalSize } from '../../../src/terminal/line-editor/layout.ts'
import { appendToRow, emptyRow } from '../../../src/terminal/line-editor/open-row.ts'
import { hasCertainWidth, widthOf } from '../../../src/terminal/width.ts'
import { newTerminal } from '../../helpers/picture.ts'
import { terminalEnvironment } from '../../helpers/shell.ts'

/** A text, or a row that is as wide as the terminal, or wider or narrower by some columns. */
export type Part = string | { readonly times: number; readonly more: number }

export type Operation =
  | { readonly does: 'write'; readonly parts: readonly Part[] }
  | { readonly does: 'show'; readonly view: FooterView }
  | { readonly does: 'keep'; readonly text: string }
  | { readonly does: 'pushScreen' }
  | { readonly does: 'pause' }
  | { readonly does: 'resume'; readonly isElsewhere: boolean }
  /** The event of it comes before all else, or when the painter asks for the size. */
  | { readonly does: 'resize'; readonly to: TerminalSize; readonly isLate: boolean }
  /** Waits until the terminal shows all of it. */
  | { readonly does: 'settle' }
  /** Lets time pass; the timers must be faked. */
  | { readonly does: 'wait'; readonly milliseconds: number }

const scrollback = 5000

/** Characters for the texts of a footer, which no text has. */
export const footerCharacters = ['§', '¤', '¶', '龘']

const plain = <Text extends string>(shown: Text): Text => shown

export class Painted {
  readonly terminal: Terminal
  /** What was written, without the footer. */
  text = ''
  resizes = 0
  /** How often something was written to the terminal. */
  writes = 0
  readonly #painter
  #size: TerminalSize
  /** What the program knows. */
  #knownSize: TerminalSize
  #view: FooterView | undefined
  #isPaused = false
  #pausedAt = 0
  #isPushed = false
  #time = 0
  #written: Promise<void> = Promise.resolve()

  constructor(size: TerminalSize) {
    this.#size = size
    this.#knownSize = size
    this.terminal = newTerminal({ ...size, scrollback })
    const columns = (): number => this.#knownSize.columns
    const rows = (): number => this.#knownSize.rows
    const window = {
      get rows() {
        return rows()
      },
      refresh: () => this.#learnSize(),
    }
    const write = (drawn: string): Promise<void> => {
      this.writes += 1
      return (this.#written = writeTo(this.terminal, drawn))
    }
    const out = terminalSink(write, { columns, window: window as never })
    const env = { TERM: 'xterm-256color', ...terminalEnvironment }
    // So late that each drawing is done at once.
    const elapsed = (): number => (this.#time += 100)
    this.#painter = choosePainter({ env, out, elapsed } as unknown as Io, { dim: plain, bold: plain })
  }

  async perform(operation: Operation): Promise<void> {
    switch (operation.does) {
      case 'write':
        return this.#write(operation.parts.map((part) => this.#textOf(part)).join(''))
      case 'show':
        return this.#show(operation.view)
      case 'keep':
        return this.#keep(operation.text)
      case 'pushScreen':
        this.#isPushed = true
        return this.#isPaused ? undefined : this.#painter.pushScreen()
      case 'pause':
        return this.#pause()
      case 'resume':
        return this.#resume(operation.isElsewhere)
      case 'resize':
        return this.#resize(operation)
      case 'settle':
        return this.#settle()
      case 'wait':
        vi.advanceTimersByTime(operation.milliseconds)
        return this.#settle()
    }
  }

  async close(): Promise<void> {
    this.#painter.close()
    await this.#settle()
  }

  #textOf(part: Part): string {
    return typeof part === 'string' ? part : 'y'.repeat(part.times * this.#size.columns + part.more)
  }

  #write(text: string): void {
    this.text += text
    void this.#painter.write(asSafeText(text))
  }

  #beginLine(): void {
    if (!isAtLineStart(this.text)) this.#write('\n')
  }

  #show(view: FooterView): void {
    this.#view = view
    if (!this.#isPaused) this.#painter.show(view)
  }

  #keep(text: string): void {
    this.#beginLine()
    const line = { prompt: safe`› `, text, cursor: text.length, note: undefined }
    this.text += `${layOutSent(line, this.#size, { dim: plain, bold: plain })}\n`
    this.#painter.keep(line)
  }

  /** The open line is taken back; one that may not be on the screen as a whole ends. */
  async #pause(): Promise<void> {
    if (this.#isPaused) return
    await this.#settle()
    const line = this.text.slice(this.text.lastIndexOf('\n') + 1)
    const { columns, rows } = this.#size
    if (appendToRow(emptyRow, line, columns, true).row.isContinued) {
      // It may be broken already.
      if (!hasCertainWidth(line) || this.resizes > 0 || this.#isPushed) return
      // A footer may have scrolled its first rows out of the screen.
      if (this.#view !== undefined) return
      if (/[\u1100-\u200f\u2028-\uffff]/.test(line) || widthOf(line) > columns * rows) this.text += '\n'
    }
    this.#pausedAt = this.text.lastIndexOf('\n') + 1
    this.#painter.pause()
    this.#isPaused = true
    await this.#settle()
  }

  /** Elsewhere, such as in a shell, a row is written between two lines of the text. */
  async #resume(isElsewhere: boolean): Promise<void> {
    if (!this.#isPaused) return
    this.#isPaused = false
    const [before, after] = [this.text.slice(0, this.#pausedAt), this.text.slice(this.#pausedAt)]
    if (isElsewhere) {
      this.text = `${before}elsewhere\n${after}`
      await writeTo(this.terminal, 'elsewhere\n')
    }
    this.#painter.resume({ isElsewhere })
    if (this.#view) this.#painter.show(this.#view)
  }

  /** While the cursor is in the footer. */
  async #resize({ to, isLate }: Operation & { does: 'resize' }): Promise<void> {
    this.#learnSize()
    await this.#settle()
    if (this.#view === undefined || this.#isPaused) return
    this.resizes += 1
    this.terminal.resize(to.columns, to.rows)
    this.#size = to
    if (isLate) return
    this.#learnSize()
    await this.#settle()
  }

  /** The event of a new size: the footer is drawn again. */
  #learnSize(): void {
    if (this.#knownSize === this.#size) return
    this.#knownSize = this.#size
    if (this.#view) this.#show(this.#view)
  }

  async #settle(): Promise<void> {
    let last: Promise<void> | undefined
    while (last !== this.#written) {
      last = this.#written
      await last
      await new Promise(setImmediate)
    }
  }
}

function isAtLineStart(text: string): boolean {
  return text === '' || text.endsWith('\n')
}

/** Writes as a terminal device does: a line feed also returns the carriage. */
async function writeTo(terminal: Terminal, text: string): Promise<void> {
  const written = { isDone: false }
  terminal.write(text.replaceAll(/\r?\n/g, '\r\n'), () => (written.isDone = true))
  for (let time = 0; !written.isDone; time = 1) {
    await new Promise(setImmediate)
    // xterm.js has a timer, too; one that is started by another is due after a millisecond.
    if (vi.isFakeTimers()) vi.advanceTimersByTime(time)
  }
}

/**
 * Expects the rows of the text alone. A line of uncertain width that is longer than a row is exempt: while it is open, it may be
 * broken, once for each time that it is drawn, and is the same when its parts are joined.
 */
export async function expectRowsOfText({ terminal, text }: Painted, size: TerminalSize): Promise<void> {
  const [shown, alone] = [rowsOf(terminal), await rowsAlone(text, size)]
  const isBreakable = (line: string): boolean =>
    appendToRow(emptyRow, line, size.columns, true).row.isContinued && !hasCertainWidth(line)
  if (!text.split('\n').some(isBreakable)) return expect(shown).toEqual(alone)
  const lines = linesOf(alone)
  expect(withBreaksOf(lines, linesOf(shown))).toEqual(lines)
}

/** Joins lines as others are, where a long one was broken. */
function withBreaksOf(lines: readonly string[], broken: readonly string[]): string[] {
  const joined: string[] = []
  for (const part of broken) {
    const [last, wanted] = [joined.at(-1), lines[joined.length - 1]]
    const isRest =
      last !== undefined && wanted !== undefined && last.length < wanted.length && wanted.startsWith(last + part)
    if (isRest) joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

export interface ShownRow {
  readonly text: string
  /** Places where the style of a character differs from that of the one before. */
  readonly styles: string
  readonly isWrapped: boolean
}

/** Without trailing spaces and blank rows. */
export function rowsOf(terminal: Terminal): ShownRow[] {
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.length }, (_, index) => {
    const line = active.getLine(index)
    let styles = ''
    let last = '0'
    for (let column = 0; column < terminal.cols; column++) {
      const cell = line?.getCell(column)
      if (cell?.getChars().trim() === '') continue
      const style = `${cell?.isBold()}${cell?.isDim()}${cell?.isItalic()}${cell?.isUnderline()}${cell?.getFgColor()}`
      if (style !== last) styles += `${column}:${style} `
      last = style
    }
    return { text: line?.translateToString().trimEnd() ?? '', styles, isWrapped: line?.isWrapped ?? false }
  })
  return rows.slice(0, rows.findLastIndex(({ text }) => text !== '') + 1)
}

/** The rows of a text on a terminal without a footer. */
export async function rowsAlone(text: string, size: TerminalSize): Promise<ShownRow[]> {
  const terminal = newTerminal({ ...size, scrollback })
  await writeTo(terminal, text)
  return rowsOf(terminal)
}

/** The lines that were wrapped into these rows, without spaces. */
function linesOf(rows: readonly ShownRow[]): string[] {
  const lines: string[] = []
  for (const { text, isWrapped } of rows) {
    const bare = text.replaceAll(/\s/g, '')
    if (isWrapped && lines.length > 0) lines.push(`${lines.pop() ?? ''}${bare}`)
    else lines.push(bare)
  }
  return lines
}
