/** What becomes of an answer's text before it is written. */

import { harmless } from '../io/harmless.ts'

export interface TextForm {
  /** @returns what can be written now. */
  push(text: string): string
  /** The text is over, or broke off. @returns what was held. */
  end(): string
  /** When it resolves, there is more to be had with `push('')`. */
  readonly loading: Promise<void> | undefined
  /** What of the text can't be shown before it is whole and is on its way, such as `the table`. */
  readonly awaited?: string | undefined
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
    get awaited() {
      return form.awaited
    },
  }
}

/** A form that is still on its way: text waits for it. */
export class LateForm implements TextForm {
  #form: TextForm | undefined
  #loading: Promise<void> | undefined
  #waiting = ''

  constructor(form: Promise<TextForm>) {
    this.#loading = form
      // Text as it is, is better than none.
      .catch(() => asItIs)
      .then((loaded) => {
        this.#form = loaded
        this.#loading = undefined
      })
  }

  get loading(): Promise<void> | undefined {
    return this.#loading ?? this.#form?.loading
  }

  get awaited(): string | undefined {
    return this.#form?.awaited
  }

  push(text: string): string {
    this.#waiting += text
    return this.#form?.push(this.#takeWaiting()) ?? ''
  }

  end(): string {
    return this.#form ? this.#form.end() : this.#takeWaiting()
  }

  #takeWaiting(): string {
    const text = this.#waiting
    this.#waiting = ''
    return text
  }
}

/** What becomes of a whole text. */
export async function formed(text: string, form: TextForm): Promise<string> {
  let shown = form.push(text)
  while (form.loading) {
    await form.loading
    shown += form.push('')
  }
  return shown + form.end()
}
