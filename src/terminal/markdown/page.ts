/** What is printed: words on lines of the terminal's width, blank lines between blocks, and what containers put before lines. */

import { hyperlink } from '../hyperlink.ts'
import type { Paint } from '../style.ts'
import { widthOf } from '../width.ts'
import { lastOf, mayBreakBetween, unbreakable } from './breaks.ts'

export interface Appearance {
  readonly paint: Paint
  /** The paints it is made of. */
  readonly layers: readonly Paint[]
  /** The address that a click opens. */
  readonly url?: string | undefined
}

export interface Run {
  readonly text: string
  readonly appearance: Appearance
}

/** In a run's text: what follows begins a new line. */
export const lineBreak = '\n'

export const plain: Appearance = { paint: (text) => text, layers: [] }

/** The appearance with one more paint inside; a paint that it has already is not repeated. */
export function within(outer: Appearance, paint: Paint, url = outer.url): Appearance {
  if (outer.layers.includes(paint)) return url === outer.url ? outer : { ...outer, url }
  return { paint: (text) => outer.paint(paint(text)), layers: [...outer.layers, paint], url }
}

/** The text with its escape sequences. Neighbors of one appearance are painted together. */
function painted(runs: readonly Run[]): string {
  let text = ''
  for (let from = 0; from < runs.length;) {
    const { appearance } = runs[from] as Run
    let same = ''
    while (runs[from]?.appearance === appearance) same += runs[from++]?.text
    const shown = appearance.paint(same)
    text += appearance.url === undefined ? shown : hyperlink(shown, appearance.url)
  }
  return text
}

/** What is printed before a line, with its width in columns. */
export interface Decoration {
  readonly text: string
  readonly width: number
}

/** A quote or a list item, as it shows before the lines in it. */
export interface ShownContainer {
  /** Before its first line, and before all that follow. */
  readonly first: Decoration
  readonly rest: Decoration
  /** Whether the first line was shown. */
  isBegun: boolean
}

/** Where lines go, one after the other. */
interface Lines {
  /** Begins a line. @returns how many columns there are on it. */
  begin(): number
  write(text: string): void
  end(): void
}

export class Page implements Lines {
  readonly #width: () => number
  /** The containers that lines are in, the outermost first. */
  containers: ShownContainer[] = []
  #printed = ''
  /** What comes before the line that has begun, until its first text is written. */
  #before = ''
  #hasLines = false
  /** Whether the source has a blank line here. */
  #isBlankDue = false
  /** Whether a blank line follows the last block whatever the source has. */
  #wasSpaced = false

  /** @param width Columns of the terminal at this moment: each line is as long as the terminal is wide when it begins. */
  constructor(width: () => number) {
    this.#width = width
  }

  /** What was printed since it was last taken. */
  take(): string {
    const printed = this.#printed
    this.#printed = ''
    return printed
  }

  noteBlank(): void {
    this.#isBlankDue = true
  }

  /** @param isSpaced Whether there is a blank line before and after it whatever the source has. */
  beginBlock(isSpaced: boolean): void {
    if (this.#hasLines && (this.#isBlankDue || isSpaced || this.#wasSpaced)) {
      const begun = this.containers.filter(({ isBegun }) => isBegun)
      this.#printed += `${this.#fitting(begun).text.trimEnd()}\n`
    }
    this.#isBlankDue = false
    this.#wasSpaced = isSpaced
  }

  /** Puts a blank line between this block and the next. */
  spaceAfter(): void {
    this.#wasSpaced = true
  }

  /** How many columns there are on a line. */
  columns(): number {
    return this.#columns(this.#fitting(this.containers))
  }

  begin(): number {
    const decoration = this.#beginning()
    this.#before = decoration.text
    return this.#columns(decoration)
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

  #beginning(): Decoration {
    const decoration = this.#fitting(this.containers)
    for (const container of this.containers) container.isBegun = true
    this.#hasLines = true
    return decoration
  }

  #columns({ width }: Decoration): number {
    return Math.max(1, this.#width() - width)
  }

  /** What containers put before a line. In a narrow terminal the outermost give way to the text. */
  #fitting(containers: readonly ShownContainer[]): Decoration {
    const decorations = containers.map(({ isBegun, first, rest }) => (isBegun ? rest : first))
    let width = decorations.reduce((sum, decoration) => sum + decoration.width, 0)
    const most = this.#width() / 2
    while (decorations.length > 1 && width > most) width -= decorations.shift()?.width ?? 0
    return { text: decorations.map(({ text }) => text).join(''), width }
  }
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Puts words on lines as wide as there is room. */
export class Flow {
  readonly #lines: Lines
  /** Columns left on the line; with none begun, undefined. */
  #left: number | undefined
  #isLineEmpty = true
  /** The space before the next word, unless the word begins a line. */
  #gap: Appearance | undefined
  /** The open word, of which more may come. */
  #word: Run[] = []
  /** What is placed on the line but not written yet. */
  #line: Run[] = []

  constructor(lines: Lines) {
    this.#lines = lines
  }

  /** Adds whole words. What is added next begins another word, after a space if `space` is called in between. */
  add(runs: readonly Run[]): void {
    for (const { text, appearance } of runs) {
      for (const part of text.split(/([ \t]+|\n)/)) {
        if (part === '') continue
        if (part === lineBreak) this.#break()
        else if (/^[ \t]/.test(part)) this.space(appearance)
        else this.#addWord(part, appearance)
      }
    }
    this.#place()
    this.#write()
  }

  space(appearance: Appearance): void {
    this.#place()
    this.#gap = appearance
  }

  /** Adds text that is not wrapped, however long it is, and keeps its spaces. */
  addWhole({ text, appearance }: Run): void {
    this.#place()
    const width = widthOf(text)
    this.#makeRoom(width)
    this.#put({ text, appearance }, width)
    this.#write()
  }

  /** Ends the line. */
  end(): void {
    this.#place()
    this.#write()
    if (this.#left !== undefined) this.#lines.end()
    this.#left = undefined
    this.#gap = undefined
  }

  #addWord(text: string, appearance: Appearance): void {
    for (const part of unbreakable(text)) {
      const before = lastOf(this.#word.at(-1)?.text ?? '')
      if (before !== '' && mayBreakBetween(before, String.fromCodePoint(part.codePointAt(0) ?? 0))) this.#place()
      this.#word.push({ text: part, appearance })
    }
  }

  #place(): void {
    const word = this.#word
    if (word.length === 0) return
    this.#word = []
    const width = widthOf(word.map(({ text }) => text).join(''))
    this.#makeRoom(width)
    if (width <= (this.#left ?? 0)) {
      for (const run of word) this.#put(run, 0)
      this.#left = (this.#left ?? 0) - width
    } else this.#placeBroken(word)
  }

  /** Makes room for so many columns: writes the gap before them, or begins a line. */
  #makeRoom(width: number): void {
    const left = this.#left ?? this.#begin()
    const gap = this.#isLineEmpty ? undefined : this.#gap
    this.#gap = undefined
    if (!this.#isLineEmpty && width + (gap ? 1 : 0) > left) this.#wrap()
    else if (gap) this.#put({ text: ' ', appearance: gap }, 1)
  }

  /** A word longer than a line fills as many as it needs. */
  #placeBroken(word: readonly Run[]): void {
    for (const { text, appearance } of word) {
      for (const { segment } of graphemes.segment(text)) {
        const width = widthOf(segment)
        if (width > (this.#left ?? 0) && !this.#isLineEmpty) this.#wrap()
        this.#put({ text: segment, appearance }, width)
      }
    }
  }

  #put(run: Run, width: number): void {
    this.#line.push(run)
    this.#isLineEmpty = false
    this.#left = (this.#left ?? 0) - width
  }

  #begin(): number {
    this.#left = this.#lines.begin()
    this.#isLineEmpty = true
    return this.#left
  }

  /** Ends the line at a line break of the text, also an empty line. */
  #break(): void {
    this.#place()
    if (this.#left === undefined) this.#begin()
    this.end()
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

/** The runs as lines of so many columns, for a cell of a table. */
export function wrapped(runs: readonly Run[], width: number): string[] {
  const lines: string[] = []
  const flow = new Flow({
    begin: () => (lines.push(''), width),
    write: (text) => void (lines[lines.length - 1] += text),
    end: () => undefined,
  })
  flow.add(runs)
  flow.end()
  return lines
}
