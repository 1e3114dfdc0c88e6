/** What becomes of an answer's text before it is written. */

import { harmless } from '../io/harmless.ts'

export interface TextForm {
  /** @returns what can be written now. */
  push(text: string): string
  /** The text is over, or broke off. @returns what was held. */
  end(): string
  /** When it resolves, there is more to be had with `push('')`. */
  readonly loading: Promise<void> | undefined
}

export const asItIs: TextForm = {
  push: (text) => text,
  end: () => '',
  loading: undefined,
}

/** For a terminal: control characters are made harmless before anything else sees them. */
export function harmlessForm(form: TextForm): TextForm {
  // A carriage return is held back until it is known whether a line feed follows.
  let heldReturn = ''
  return {
    push: (text) => {
      const whole = heldReturn + text
      heldReturn = whole.endsWith('\r') ? '\r' : ''
      return form.push(harmless(heldReturn ? whole.slice(0, -1) : whole))
    },
    end: () => form.end(),
    get loading() {
      return form.loading
    },
  }
}
