/** A paragraph: prose that appears by the word, and whose lines flow into each other. */

import type { Inline } from './inline.ts'
import { Flow } from './flow.ts'
import type { Page } from './page.ts'
import { Prose, type LineEnd } from './prose.ts'
import { plain } from './run.ts'

export class Paragraph {
  readonly #flow: Flow
  readonly #prose: Prose
  #lineEnd: LineEnd | undefined

  constructor(page: Page, inline: Inline) {
    page.beginBlock(false)
    this.#flow = new Flow(page)
    this.#prose = new Prose({
      chunk: (text) => this.#flow.add(inline.runs(text)),
      gap: () => this.#flow.space(plain),
    })
  }

  /** @param text Part of a line. */
  feed(text: string): void {
    if (this.#lineEnd === 'space') this.#flow.space(plain)
    else if (this.#lineEnd) this.#flow.end()
    this.#lineEnd = undefined
    this.#prose.feed(text)
  }

  endLine(): void {
    this.#lineEnd = this.#prose.endLine()
  }

  close(): void {
    // Only before another line of the paragraph a backslash breaks the line.
    if (this.#lineEnd === 'backslash') this.#flow.add([{ text: '\\', appearance: plain }])
    this.#flow.end()
  }
}
