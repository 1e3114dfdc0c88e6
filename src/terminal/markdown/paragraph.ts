/** A paragraph: prose that appears by the word, each line of the source on lines of its own. */

import type { Inline } from './inline.ts'
import { Flow } from './flow.ts'
import type { Page } from './page.ts'
import { Prose } from './prose.ts'
import { plain } from './run.ts'

export class Paragraph {
  readonly #flow: Flow
  readonly #prose: Prose
  /** A backslash at the end of the line before: only before another line of the paragraph it means nothing but that. */
  #backslash = ''

  constructor(page: Page, inline: Inline) {
    page.beginBlock(false)
    this.#flow = new Flow(page)
    this.#prose = new Prose({
      chunk: (text) => this.#flow.add(inline.runs(text)),
      gap: () => this.#flow.space(plain),
      verbatim: (text) => this.#flow.addWhole({ text, appearance: plain }),
    })
  }

  /** Whether a formula goes on in the next line, whatever that looks like. */
  get isInFormula(): boolean {
    return this.#prose.isInFormula
  }

  /** @param text Part of a line; of a formula, the line. */
  feed(text: string): void {
    if (this.#backslash !== '') this.#flow.end()
    this.#backslash = ''
    this.#prose.feed(text)
  }

  endLine(): void {
    this.#backslash = this.#prose.endLine()
    if (this.#backslash === '') this.#flow.end()
  }

  close(): void {
    if (this.#backslash !== '') this.#flow.add([{ text: this.#backslash, appearance: plain }])
    this.#flow.end()
  }
}
