/**
 * The marks that a line has opened and not closed yet: while there are any, what follows may still turn out to be
 * emphasised, struck or the text of a link. Only an estimate of what will be made of them; where they differ, text is held
 * longer or shorter than it need be, and no more than that.
 */

import { areOfPaths, mayPair, type Delimiter } from './emphasis.ts'

interface Mark {
  /** `*`, `_`, `~`, `[`, or `(` for the target of a link. */
  readonly character: string
  /** What was written, unless it is a bracket. */
  readonly run?: Delimiter
  left: number
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
  addRun(run: Delimiter): void {
    const left = run.closes ? this.#close(run) : run.length
    if (run.opens && left > 0) this.#marks.push({ character: run.character, run, left })
  }

  /** @returns how many of it closed nothing. */
  #close(run: Delimiter): number {
    let left = run.length
    for (let opener = this.#opener(run); opener?.run && left > 0; opener = this.#opener(run)) {
      const at = this.#marks.indexOf(opener)
      if (areOfPaths(opener.run, run)) {
        this.#marks.length = at
        return 0
      }
      const used = Math.min(left, opener.left, 2)
      left -= used
      opener.left -= used
      this.#marks.length = at + (opener.left > 0 ? 1 : 0)
    }
    return left
  }

  /**
   * A bracket or a parenthesis.
   * @param after the character that follows.
   * @returns how many characters that was: `](` is one mark.
   */
  addBracket(character: string, after: string): 1 | 2 {
    const isInTarget = this.#marks.at(-1)?.character === '('
    if (isInTarget) {
      if (character === '(') this.#marks.push({ character, left: 1 })
      if (character === ')') this.#marks.pop()
      return 1
    }
    if (character === '[') this.#marks.push({ character, left: 1 })
    if (character !== ']') return 1
    const bracket = this.#lastBracket()
    if (bracket === -1) return 1
    this.#marks.length = bracket
    if (after !== '(') return 1
    this.#marks.push({ character: after, left: 1 })
    return 2
  }

  #lastBracket(): number {
    return this.#marks.findLastIndex((mark) => mark.character === '[')
  }

  /** Emphasis never closes across the edge of a bracket. */
  #opener(closer: Delimiter): Mark | undefined {
    const edge = this.#lastBracket()
    return this.#marks.findLast(({ run }, at) => at > edge && run && mayPair(run, closer))
  }
}
