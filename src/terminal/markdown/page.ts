/** What is printed: lines, each behind what its containers put before it, and the blank lines between blocks. */

import type { Container, Decoration } from './containers.ts'
import type { Lines } from './flow.ts'

export class Page implements Lines {
  readonly #width: () => number
  /** The containers that lines are in, the outermost first. */
  containers: Container[] = []
  #printed = ''
  /** What stands before a line that has begun, until something stands on it. */
  #before = ''
  #hasLines = false
  /** Whether the source has a blank line here. */
  #isBlankDue = false
  /** Whether the last block keeps its distance from the next. */
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

  /** @param isSpaced Whether a blank line stands around it whatever the source says. */
  beginBlock(isSpaced: boolean): void {
    if (this.#hasLines && (this.#isBlankDue || isSpaced || this.#wasSpaced)) {
      const begun = this.containers.filter(({ isBegun }) => isBegun)
      this.#printed += `${this.#fitting(begun).text.trimEnd()}\n`
    }
    this.#isBlankDue = false
    this.#wasSpaced = isSpaced
  }

  /** The next block keeps its distance from this one. */
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

  /** A line as it is, however long. */
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

  /** What containers put before a line. In a narrow terminal what is deep within them moves to the left. */
  #fitting(containers: readonly Container[]): Decoration {
    const decorations = containers.map(({ isBegun, first, rest }) => (isBegun ? rest : first))
    let width = decorations.reduce((sum, decoration) => sum + decoration.width, 0)
    const most = this.#width() / 2
    while (decorations.length > 1 && width > most) width -= decorations.shift()?.width ?? 0
    return { text: decorations.map(({ text }) => text).join(''), width }
  }
}
