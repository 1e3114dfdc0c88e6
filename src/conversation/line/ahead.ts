/** What is typed while nobody reads: it is kept, unseen, until somebody does. */

import { startEditing } from './editor.ts'
import type { Input } from './keys.ts'
import { press, startLine } from './line.ts'

export class Ahead {
  #inputs: Input[] = []
  #isHeld = false

  add(input: Input): void {
    this.#inputs.push(input)
  }

  /**
   * Sends nothing of what was typed so far, nor what goes on from it: it was typed by somebody who did not know yet.
   * What is typed after nothing counts as ever.
   */
  hold(history: readonly string[]): void {
    this.#isHeld = heldText(this.#inputs, history) !== ''
    if (!this.#isHeld) this.#inputs = []
  }

  /** @returns all of it as one text, where it was held. */
  takeHeld(history: readonly string[]): string {
    if (!this.#isHeld) return ''
    this.#isHeld = false
    return heldText(this.takeInputs(), history)
  }

  /** @returns the rest, to be received as if it were typed now. */
  takeInputs(): readonly Input[] {
    const inputs = this.#inputs
    this.#inputs = []
    return inputs
  }
}

/** What would have been sent and what would stand in the line after it, each beginning a line. */
export function heldText(inputs: readonly Input[], history: readonly string[]): string {
  const fresh = startLine(startEditing(), history)
  const texts: string[] = []
  let line = fresh
  for (const input of inputs) {
    const step = press(line, input, history)
    if (step.wish === 'send') texts.push(step.line.editor.text)
    line = step.wish === 'send' ? fresh : step.line
  }
  return [...texts, line.editor.text].filter((text) => text !== '').join('\n')
}
