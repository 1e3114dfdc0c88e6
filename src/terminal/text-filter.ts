/** Filters that the text of an answer passes through, as it arrives, before it is written. */

import { sanitizeForTerminal } from '../io/sanitize.ts'

export interface TextFilter {
  /** @returns the text that can be written now. */
  push(text: string): string
  /** Called at the end of the text, complete or not. @returns the text that was held back. */
  end(): string
  /** While it is set, `push('')` returns more text once it resolves. */
  readonly loading: Promise<void> | undefined
  /** The part of the text that is held back until it is complete, such as `the table`. */
  readonly awaited?: string | undefined
}

/** Leaves the text unchanged. */
export const passThrough: TextFilter = {
  push: (text) => text,
  end: () => '',
  loading: undefined,
}

/** Replaces control characters before the text reaches another filter. For a terminal. */
export function sanitizingFilter(filter: TextFilter): TextFilter {
  // A carriage return is held back until it is known whether a line feed follows.
  let heldReturn = ''
  return {
    push: (text) => {
      const whole = heldReturn + text
      heldReturn = whole.endsWith('\r') ? '\r' : ''
      return filter.push(sanitizeForTerminal(heldReturn ? whole.slice(0, -1) : whole))
    },
    end: () => filter.end(),
    get loading() {
      return filter.loading
    },
    get awaited() {
      return filter.awaited
    },
  }
}

/** Holds the text back until another filter is loaded. If that fails, the text stays unchanged. */
export class DeferredFilter implements TextFilter {
  #filter: TextFilter | undefined
  #loading: Promise<void> | undefined
  #waiting = ''

  constructor(filter: Promise<TextFilter>) {
    this.#loading = filter
      .catch(() => passThrough)
      .then((loaded) => {
        this.#filter = loaded
        this.#loading = undefined
      })
  }

  get loading(): Promise<void> | undefined {
    return this.#loading ?? this.#filter?.loading
  }

  get awaited(): string | undefined {
    return this.#filter?.awaited
  }

  push(text: string): string {
    this.#waiting += text
    return this.#filter?.push(this.#takeWaiting()) ?? ''
  }

  end(): string {
    return this.#filter ? this.#filter.end() : this.#takeWaiting()
  }

  #takeWaiting(): string {
    const text = this.#waiting
    this.#waiting = ''
    return text
  }
}

/** Passes a whole text through a filter. */
export async function filterText(text: string, filter: TextFilter): Promise<string> {
  let shown = filter.push(text)
  while (filter.loading) {
    await filter.loading
    shown += filter.push('')
  }
  return shown + filter.end()
}
