/** Type-ahead: input while no line is being read, queued without echo for the next reads. */

import { startEditing } from './editing.ts'
import type { KeyboardInput } from './keyboard.ts'
import { applyInput, startLine } from './line-state.ts'
import { append } from '../../io/arrays.ts'

export class TypeAhead {
  #inputs: KeyboardInput[] = []
  #isHeld = false
  /** Held texts that have not been in the line yet. */
  #held: string[] = []

  add(input: KeyboardInput): void {
    this.#inputs.push(input)
  }

  /**
   * Holds what was typed so far, and its continuation, so that it goes into the line without being sent: it was typed
   * before the user could see a failure or an interruption. If nothing was typed, later input is sent as usual.
   */
  hold(history: readonly string[]): void {
    this.#isHeld = linesTyped(this.#inputs, history).length > 0
    if (!this.#isHeld) this.#inputs = []
  }

  /**
   * Must be called before each read, and after each change of the line.
   * @param isFree Whether a held text may be put into the line.
   * @returns the next held text, as it would have been sent; empty if there is none.
   */
  takeHeld(history: readonly string[], isFree: boolean): string {
    if (this.#isHeld || this.#held.length > 0) append(this.#held, linesTyped(this.takeInputs(), history))
    this.#isHeld = false
    return isFree ? (this.#held.shift() ?? '') : ''
  }

  /** @returns the inputs that are not held, to handle as if they were typed now. */
  takeInputs(): readonly KeyboardInput[] {
    const inputs = this.#inputs
    this.#inputs = []
    return inputs
  }
}

/** The texts that these inputs would have sent, and the text left in the line; none of them empty. */
export function linesTyped(inputs: readonly KeyboardInput[], history: readonly string[]): string[] {
  const empty = startLine(startEditing(), history)
  const texts: string[] = []
  let line = empty
  for (const input of inputs) {
    const step = applyInput(line, input, history)
    if (step.effect === 'send') texts.push(step.line.editor.text)
    line = step.effect === 'send' ? empty : step.line
  }
  return [...texts, line.editor.text].filter((text) => text !== '')
}
