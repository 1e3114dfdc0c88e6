import type { Io } from '../../io/io.ts'
import { harmless, harmlessName } from '../../io/harmless.ts'
import { widthOf } from '../width.ts'
import type { View } from './layout.ts'
import { nextBoundary } from './text-boundaries.ts'

/**
 * Draws on a terminal that knows no escape sequences (TERM=dumb): what is added is written, what is taken from the end
 * is rubbed out with backspaces, and after any other change the line is written anew below.
 */
export class PlainPainter {
  readonly #io: Io
  /** What was written since the start of the line with the prompt. */
  #shown: string | undefined
  /** What stands behind the cursor. */
  #behind = ''
  #below = ''

  constructor(io: Io) {
    this.#io = io
  }

  /** What is drawn first begins at the cursor, which must stand at the start of a line. */
  show(view: View): void {
    const below = belowOf(view)
    const isNew = below !== '' && below !== this.#below
    this.#below = below
    this.#write(isNew ? this.#anew(view, `${below}\r\n`) : this.#change(view))
  }

  /** Nothing can be cleared here. */
  showAlone(view: View): void {
    this.#write(this.#anew(view))
  }

  /** All that was drawn stays. */
  leave(view?: View): void {
    if (this.#shown === undefined) return
    const change = view ? this.#change({ ...view, cursor: view.text.length }) : this.#behind
    this.#write(`${change}\r\n`)
    this.#shown = undefined
    this.#behind = ''
  }

  clearRow(): void {
    // What was echoed there can't be taken away.
  }

  /** @param between Lines that stand above it. */
  #anew(view: View, between = ''): string {
    const before = this.#shown === undefined ? '' : `${this.#behind}\r\n`
    this.#shown = undefined
    this.#behind = ''
    return before + between + this.#change(view)
  }

  #change(view: View): string {
    const whole = `${view.prompt}${linesOf(view, 0)}`
    const before = this.#shown ?? ''
    const same = sameLength(before, whole)
    const gone = before.slice(same)
    if (gone !== '' && !this.#canRubOut(before, gone)) return this.#anew(view)
    const atEnd = this.#behind
    const after = linesOf(view, view.cursor)
    this.#shown = whole
    this.#behind = this.#canRubOut(whole, after) ? after : ''
    return atEnd + '\b \b'.repeat(widthOf(gone)) + whole.slice(same) + '\b'.repeat(widthOf(this.#behind))
  }

  /** A backspace goes neither to the row above nor away from the right edge. */
  #canRubOut(whole: string, end: string): boolean {
    const lastLine = whole.slice(whole.lastIndexOf('\n') + 1)
    return !end.includes('\n') && widthOf(lastLine) < this.#io.out.columns()
  }

  /** Failures are main.ts's to notice: it then ends the run. */
  #write(text: string): void {
    if (text !== '') void this.#io.out.write(text).catch(() => undefined)
  }
}

/** The text from a place on, each line below the first as far from the edge as that. */
function linesOf({ prompt, text }: View, start: number): string {
  return harmless(text.slice(start)).replaceAll('\n', `\r\n${' '.repeat(widthOf(prompt))}`)
}

function belowOf({ note, choices }: View): string {
  return note === undefined ? choices.map(harmlessName).join('  ') : harmlessName(note)
}

/** The length of what both begin with, in whole characters. */
function sameLength(one: string, other: string): number {
  let length = 0
  while (length < one.length) {
    const next = nextBoundary(one, length)
    if (next !== nextBoundary(other, length) || one.slice(length, next) !== other.slice(length, next)) break
    length = next
  }
  return length
}
