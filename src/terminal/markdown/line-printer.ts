/** Wraps words to the width, puts blank lines between blocks, and prints the bars and bullets of containers. */

import { graphemes } from '../graphemes.ts'
import { unstyled, type Paint } from '../style.ts'
import { widthOf } from '../width.ts'
import { endOfWrapped } from '../wrapped-width.ts'
import { codePointAt, lastCodePoint, mayBreakBetween, unbreakable } from './breaks.ts'
import { longestLine, type Container } from './line-start.ts'

export interface Appearance {
  readonly paint: Paint
  /** The paints that `paint` combines. */
  readonly layers: readonly Paint[]
}

export interface Run {
  readonly text: string
  readonly appearance: Appearance
  /** Whether it is one word whatever it contains: an address, which is copied. */
  readonly isWhole?: boolean
}

/** In the text of a run: starts a new line. */
export const lineBreak = '\n'

export const plain: Appearance = { paint: unstyled, layers: [] }

/** The appearance with one more paint inside. A paint that it already has is not repeated. */
export function withPaint(outer: Appearance, paint: Paint): Appearance {
  if (outer.layers.includes(paint)) return outer
  return { paint: (text) => outer.paint(paint(text)), layers: [...outer.layers, paint] }
}

/** The text with escape sequences. Neighboring runs with the same appearance are painted together. */
function painted(runs: readonly Run[]): string {
  let text = ''
  for (let from = 0; from < runs.length;) {
    const { appearance } = runs[from] as Run
    let same = ''
    while (runs[from]?.appearance === appearance) same += runs[from++]?.text
    text += appearance.paint(same)
  }
  return text
}

/** A quote or a list item, as it is printed before its lines. */
export interface ShownContainer {
  readonly kind: Container['kind']
  /** The text before its first line. */
  readonly first: string
  /** The text before its other lines. */
  readonly rest: string
  /** Whether its first line was printed. */
  isBegun: boolean
}

/** A destination for lines. */
interface LineSink {
  /** Starts a line. @returns its width in columns. */
  begin(): number
  write(text: string): void
  end(): void
  /** The width of a terminal that wraps a word longer than a line; without it, the word is broken. */
  readonly terminalColumns?: number
}

export class LinePrinter implements LineSink {
  readonly #width: () => number
  readonly #margin: number
  /** The width of the terminal when the current line began. */
  terminalColumns = 0
  /** The open containers, the outermost first. */
  containers: ShownContainer[] = []
  #printed = ''
  /** What is printed of the last row, or of the end of a long one, and what is shown after it for now. */
  #row = ''
  #shown = ''
  /** The decoration of the current line, until its first text is written. */
  #before = ''
  #hasLines = false
  /** Whether the source has a blank line here. */
  #isBlankDue = false
  /** Whether a blank line follows the last block even if the source has none. */
  #wasSpaced = false

  /**
   * @param width The current width of a line in columns; each line uses the width at its start.
   * @param margin The columns before each line, which somebody else fills.
   */
  constructor(width: () => number, margin: number) {
    this.#width = width
    this.#margin = margin
  }

  /** The text printed since the last call, and as much of `held` as fits on the row, which the next call may draw again. */
  take(held = ''): string {
    const printed = this.#printed
    // Most pieces of an answer are part of a word.
    if (printed === '' && held === '' && this.#shown === '') return ''
    const feed = printed.lastIndexOf('\n')
    const row = feed === -1 ? (this.#row + printed).slice(-longestLine) : printed.slice(feed + 1)
    let shown = held && (row === '' ? this.#decoration() : ' ') + held.slice(0, 2 * this.#width())
    while (shown !== '' && widthOf(row + shown) >= this.#width())
      shown = shown.slice(0, Math.max(0, shown.lastIndexOf(' ')))
    const added = printed + shown
    const text = added.startsWith(this.#shown) ? added.slice(this.#shown.length) : `\r\u001b[K${this.#row}${added}`
    this.#printed = ''
    this.#row = row
    this.#shown = shown
    return text
  }

  noteBlank(): void {
    this.#isBlankDue = true
  }

  /** @param isSpaced Whether to put a blank line before and after the block even if the source has none. */
  beginBlock(isSpaced: boolean): void {
    if (this.#hasLines && (this.#isBlankDue || isSpaced || this.#wasSpaced)) {
      const begun = this.containers.filter(({ isBegun }) => isBegun)
      this.#printed += `${this.#decoration(begun).trimEnd()}\n`
    }
    this.#isBlankDue = false
    this.#wasSpaced = isSpaced
  }

  /** Puts a blank line after this block even if the source has none. */
  spaceAfter(): void {
    this.#wasSpaced = true
  }

  /** The width of a line in columns. */
  columns(decoration = this.#decoration()): number {
    return Math.max(1, this.#width() - widthOf(decoration))
  }

  /** The column of the terminal where the text of a line starts, counted from 0. */
  startColumn(): number {
    return this.#margin + widthOf(this.#decoration())
  }

  begin(): number {
    this.#before = this.#decoration()
    this.terminalColumns = this.#margin + this.#width()
    const columns = this.columns(this.#before)
    for (const container of this.containers) container.isBegun = true
    this.#hasLines = true
    return columns
  }

  write(text: string): void {
    this.#printed += this.#before + text
    this.#before = ''
  }

  end(): void {
    this.#printed += `${this.#before.trimEnd()}\n`
    this.#before = ''
  }

  /** Prints a whole line without wrapping it. */
  line(text: string): void {
    this.begin()
    if (text !== '') this.write(text)
    this.end()
  }

  /** The text before a line. In a narrow terminal, that of the outermost containers is left out. */
  #decoration(containers: readonly ShownContainer[] = this.containers): string {
    const shown = containers.map(({ isBegun, first, rest }) => (isBegun ? rest : first))
    let width = widthOf(shown.join(''))
    while (shown.length > 1 && width > this.#width() / 2) width -= widthOf(shown.shift() ?? '')
    return shown.join('')
  }
}

/** Line breaks, spaces, and the addresses of a text that is not parsed, such as code. */
const separators = /(\n|[ \t]+|(?:https?|ftp|file|mailto):[^\s<>"`\u201d\u2e80-\uffff]+)/i

/** A run in parts: a line break, spaces, an address, or other text without spaces. */
export function splitRun(run: Run): readonly Run[] {
  const { text, appearance } = run
  // Most runs are one word.
  if (text !== '' && (run.isWhole || !/[ \t\n:]/.test(text))) return [run]
  return text
    .split(separators)
    .map((part, index) => ({ text: part, appearance, isWhole: index % 2 === 1 && !/^\s/.test(part) }))
    .filter((part) => part.text !== '')
}

/** Wraps words to the width. The terminal wraps a word that is longer than a line, so that it is copied as one. */
export class LineBreaker {
  readonly #lines: LineSink
  /** Columns left on the current line; `undefined` between lines. */
  #left: number | undefined
  #isLineEmpty = true
  /** The space before the next word, unless the word starts a line. */
  #gap: Run | undefined
  /** The current word, which may still grow. */
  #word: Run[] = []
  /** Runs that are placed on the line but not written yet. */
  #line: Run[] = []
  /** Whether the next text continues the last word. */
  #isInWord = false

  constructor(lines: LineSink) {
    this.#lines = lines
  }

  get isAtLineStart(): boolean {
    return this.#left === undefined
  }

  /**
   * Adds whole words. The next call starts another word, after a space if `space` is called in between.
   * @param isCut Whether the next call continues the last word instead.
   */
  add(runs: readonly Run[], isCut = false): void {
    for (const run of runs) for (const part of splitRun(run)) this.#addPart(part)
    this.#flush(isCut)
  }

  /** Adds text as one word, which is never wrapped, and keeps its spaces. */
  addUnwrapped(run: Run, isCut = false): void {
    this.#place()
    this.#word.push(run)
    this.#flush(isCut)
  }

  space(gap: Run): void {
    this.#place()
    this.#isInWord = false
    this.#gap = this.#gap ? { ...gap, text: this.#gap.text + gap.text } : gap
  }

  /** Ends the line at a line break of the text, even an empty line. */
  break(): void {
    this.#place()
    if (this.#left === undefined) this.#begin()
    this.end()
  }

  /** Ends the line, if one is begun. */
  end(): void {
    this.#flush(false)
    if (this.#left !== undefined) this.#lines.end()
    this.#left = undefined
    this.#gap = undefined
  }

  #flush(isCut: boolean): void {
    this.#place()
    this.#write()
    this.#isInWord = isCut
  }

  #addPart(part: Run): void {
    if (part.isWhole) this.#addWord(part)
    else if (part.text === lineBreak) this.break()
    else if (/^[ \t]/.test(part.text)) this.space(part)
    else {
      for (const [index, text] of unbreakable(part.text).entries()) {
        if (index > 0) this.#place()
        this.#addWord(text === part.text ? part : { ...part, text })
      }
    }
  }

  #addWord(part: Run): void {
    const before = lastCodePoint(this.#word.at(-1)?.text ?? '')
    if (before !== '' && mayBreakBetween(before, codePointAt(part.text, 0))) this.#place()
    this.#word.push(part)
  }

  #place(): void {
    const word = this.#word
    if (word.length === 0) return
    this.#word = []
    const text = word.map((run) => run.text).join('')
    const width = widthOf(text)
    if (!this.#isInWord) this.#separate(width)
    this.#isInWord = false
    if (width <= (this.#left ?? 0) || this.#lines.terminalColumns !== undefined) this.#put(word, text, width)
    else this.#placeBroken(word)
  }

  /** Writes the gap before a word of this width, or starts a line if the word does not fit. */
  #separate(width: number): void {
    const left = this.#left ?? this.#begin()
    const gap = this.#isLineEmpty ? undefined : this.#gap
    const gapWidth = gap ? widthOf(gap.text) : 0
    this.#gap = undefined
    if (!this.#isLineEmpty && width + gapWidth > left) this.#wrap()
    else if (gap) this.#put([gap], gap.text, gapWidth)
  }

  /** Breaks a word that is longer than a line, but not the addresses in it. */
  #placeBroken(word: readonly Run[]): void {
    for (const run of word) {
      let [text, width] = ['', 0]
      for (const grapheme of run.isWhole ? [run.text] : graphemes(run.text)) {
        const added = widthOf(grapheme)
        if (width + added > (this.#left ?? 0)) {
          if (text !== '') this.#put([{ ...run, text }], text, width)
          if (!this.#isLineEmpty) this.#wrap()
          ;[text, width] = ['', 0]
        }
        text += grapheme
        width += added
      }
      if (text !== '') this.#put([{ ...run, text }], text, width)
    }
  }

  #put(runs: readonly Run[], text: string, width: number): void {
    const left = this.#left ?? 0
    for (const run of runs) this.#line.push(run)
    this.#isLineEmpty = false
    const columns = this.#lines.terminalColumns ?? left
    this.#left = width <= left ? left - width : columns - endOfWrapped(text, columns - left, columns).column
  }

  #begin(): number {
    this.#left = this.#lines.begin()
    this.#isLineEmpty = true
    return this.#left
  }

  #wrap(): void {
    this.#write()
    this.#lines.end()
    this.#begin()
  }

  #write(): void {
    if (this.#line.length > 0) this.#lines.write(painted(this.#line))
    this.#line = []
  }
}

/** Prints a complete text, wrapped. */
export function printWrapped(runs: readonly Run[], lines: LineSink): void {
  const breaker = new LineBreaker(lines)
  breaker.add(runs)
  breaker.end()
}

/** The runs as lines of this width, for a cell of a table. */
export function wrapRuns(runs: readonly Run[], width: number): string[] {
  const lines: string[] = []
  printWrapped(runs, collecting(lines, width))
  return lines
}

/** Adds lines of this width to a list. */
export function collecting(lines: string[], width: number): LineSink {
  return {
    begin: () => (lines.push(''), width),
    write: (text) => void (lines[lines.length - 1] += text),
    end: () => undefined,
  }
}
