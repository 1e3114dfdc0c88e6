/** What is typed while nobody reads: it is kept, unseen, until somebody does. */

import { startEditing } from './editing.ts'
import type { Input } from './keyboard.ts'
import { press, startLine } from './line-state.ts'

export class Ahead {
  #inputs: Input[] = []
  #isHeld = false
  /** What was held and has not been in the line yet. */
  #held: string[] = []

  add(input: Input): void {
    this.#inputs.push(input)
  }

  /**
   * Sends nothing of what was typed so far, nor what goes on from it: it was typed by somebody who did not know yet.
   * What is typed after nothing counts as ever.
   */
  hold(history: readonly string[]): void {
    this.#isHeld = textsOf(this.#inputs, history).length > 0
    if (!this.#isHeld) this.#inputs = []
  }

  /**
   * To be called before each line, and whenever one is changed.
   * @param isFree Whether a text that is held may stand in the line.
   * @returns the next of these, each as it would have been sent; empty where there is none.
   */
  takeHeld(history: readonly string[], isFree: boolean): string {
    if (this.#isHeld || this.#held.length > 0) this.#held.push(...textsOf(this.takeInputs(), history))
    this.#isHeld = false
    return isFree ? (this.#held.shift() ?? '') : ''
  }

  /** @returns the rest, to be received as if it were typed now. */
  takeInputs(): readonly Input[] {
    const inputs = this.#inputs
    this.#inputs = []
    return inputs
  }
}

/** What would have been sent, and what would stand in the line after it. */
export function textsOf(inputs: readonly Input[], history: readonly string[]): string[] {
  const fresh = startLine(startEditing(), history)
  const texts: string[] = []
  let line = fresh
  for (const input of inputs) {
    const step = press(line, input, history)
    if (step.wish === 'send') texts.push(step.line.editor.text)
    line = step.wish === 'send' ? fresh : step.line
  }
  return [...texts, line.editor.text].filter((text) => text !== '')
}
