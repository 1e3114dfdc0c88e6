/**
 * The marks that a line has opened and not closed yet: while there are any, what follows may still turn out to be
 * emphasised, struck or the text of a link. Only an estimate of what will be made of them; where they differ, text is held
 * longer or shorter than it need be, and no more than that.
 */

import type { Flanks } from './flanks.ts'

interface Mark {
  /** `*`, `_`, `~`, `[`, or `(` for the target of a link. */
  readonly character: string
  length: number
}

export class OpenMarks {
  #marks: Mark[] = []

  get areNone(): boolean {
    return this.#marks.length === 0
  }

  clear(): void {
    this.#marks = []
  }

  /** A run of `*`, `_` or `~`. */
  addRun(character: string, length: number, { opens, closes }: Flanks): void {
    const rest = closes ? this.#close(character, length) : length
    if (opens && rest > 0) this.#marks.push({ character, length: rest })
  }

  /** @returns how many of so many closed nothing. */
  #close(character: string, length: number): number {
    let rest = length
    for (let opener = this.#opener(character); opener && rest > 0; opener = this.#opener(character)) {
      const used = Math.min(rest, opener.length)
      rest -= used
      opener.length -= used
      this.#marks.length = this.#marks.indexOf(opener) + (opener.length > 0 ? 1 : 0)
    }
    return rest
  }

  /**
   * A bracket or a parenthesis.
   * @param after the character that follows.
   * @returns how many characters that was: `](` is one mark.
   */
  addBracket(character: string, after: string): 1 | 2 {
    const isInTarget = this.#marks.at(-1)?.character === '('
    if (isInTarget) {
      if (character === '(') this.#marks.push({ character, length: 1 })
      if (character === ')') this.#marks.pop()
      return 1
    }
    if (character === '[') this.#marks.push({ character, length: 1 })
    if (character !== ']') return 1
    const bracket = this.#lastBracket()
    if (bracket === -1) return 1
    this.#marks.length = bracket
    if (after !== '(') return 1
    this.#marks.push({ character: after, length: 1 })
    return 2
  }

  #lastBracket(): number {
    return this.#marks.findLastIndex((mark) => mark.character === '[')
  }

  /** Emphasis never closes across the edge of a bracket. */
  #opener(character: string): Mark | undefined {
    const edge = this.#lastBracket()
    return this.#marks.findLast((mark, at) => at > edge && mark.character === character)
  }
}
