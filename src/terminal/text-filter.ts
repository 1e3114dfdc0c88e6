/** Filters that the text of an answer passes through, as it arrives, before it is written. */

import { joinSafe, noText, safe, type SafeText, sanitizeForTerminal, textFor } from '../io/safe-text.ts'

export interface TextFilter<Text extends string = string> {
  /** @returns the text that can be written now. */
  readonly push: (text: Text) => SafeText
  /** Called at the end of the text, complete or not. @returns the text that was held back. */
  end(): SafeText
  /** While it is set, `push('')` returns more text once it resolves. */
  readonly loading: Promise<void> | undefined
  /** The part of the text that is held back until it is complete, such as `the table`. */
  readonly awaited?: SafeText | undefined
}

/** Leaves text unchanged that is written to a pipe or a file. */
export const unchanged: TextFilter = {
  push: (text) => textFor({ isTerminal: false }, text),
  end: () => noText,
  loading: undefined,
}

/** Leaves sanitized text unchanged. */
export const passThrough: TextFilter<SafeText> = {
  push: (text) => text,
  end: () => noText,
  loading: undefined,
}

/** Replaces control characters before the text reaches another filter. For a terminal. */
export function sanitizingFilter(filter: TextFilter<SafeText>): TextFilter {
  // A carriage return is held back until it is known whether a line feed follows.
  let heldReturn = ''
  return {
    push: (text) => {
      const whole = heldReturn + text
      heldReturn = whole.endsWith('\r') ? '\r' : ''
      return filter.push(sanitizeForTerminal(heldReturn ? whole.slice(0, -1) : whole))
    },
    end: () => {
      const last = heldReturn === '' ? noText : filter.push(sanitizeForTerminal(heldReturn))
      heldReturn = ''
      return safe`${last}${filter.end()}`
    },
    get loading() {
      return filter.loading
    },
    get awaited() {
      return filter.awaited
    },
  }
}

/** Holds the text back until another filter is loaded. If that fails, the text stays unchanged. */
export class DeferredFilter implements TextFilter<SafeText> {
  #filter: TextFilter<SafeText> | undefined
  #loading: Promise<void> | undefined
  #waiting: SafeText[] = []

  constructor(filter: Promise<TextFilter<SafeText>>) {
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

  get awaited(): SafeText | undefined {
    return this.#filter?.awaited
  }

  push(text: SafeText): SafeText {
    if (this.#filter && this.#waiting.length === 0) return this.#filter.push(text)
    this.#waiting.push(text)
    return this.#filter?.push(this.#takeWaiting()) ?? noText
  }

  end(): SafeText {
    const waiting = this.#takeWaiting()
    return this.#filter ? safe`${this.#filter.push(waiting)}${this.#filter.end()}` : waiting
  }

  #takeWaiting(): SafeText {
    const text = joinSafe(this.#waiting)
    this.#waiting = []
    return text
  }
}

/** Passes a whole text through a filter. */
export async function filterText(text: string, filter: TextFilter): Promise<SafeText> {
  const shown = [filter.push(text)]
  while (filter.loading) {
    await filter.loading
    shown.push(filter.push(''))
  }
  return joinSafe([...shown, filter.end()])
}
