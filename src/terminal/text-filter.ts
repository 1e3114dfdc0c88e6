/** Filters that the text of an answer passes through, as it arrives, before it is written. */

import { joinSafe, noText, safe, type SafeText, sanitizeForTerminal, textFor } from '../io/text/safe-text.ts'
import { longestSlice, yieldToEventLoop } from '../io/time/abort-signal.ts'

export interface TextFilter<Text extends string = string> {
  /**
   * @param text While something is loading, `sanitizingFilter` waits with the next line.
   * @returns the text that can be written now.
   */
  readonly push: (text: Text) => SafeText
  /** Called at the end of the text, complete or not. @returns the text that was held back. */
  end(): SafeText
  /** Shows what has waited for long, on a terminal, whose last row may be drawn again. @param isStalled Whether no more came. */
  showHeld?(isStalled: boolean): SafeText
  /** While it is set, `push('')` returns more text once it resolves: something is loaded, or the text is long. */
  readonly loading: Promise<void> | undefined
  /** The part of the text that is held back until it is complete, such as `the table`. */
  readonly awaited?: SafeText | undefined
}

/** Leaves text unchanged that is written to a pipe or a file, or that is already sanitized. */
export const unchanged: TextFilter = {
  push: (text) => textFor({ isTerminal: false }, text),
  end: () => noText,
  loading: undefined,
}

/** In characters: more than that of a line is filtered in pieces. */
const longestPiece = 4000

/**
 * Replaces control characters before the text reaches another filter, one line at a time. For a terminal. A long text takes
 * several turns of the event loop: see `loading`.
 * @param other Text is held back while it is loading. If that fails, the text is only sanitized.
 */
export function sanitizingFilter(other: TextFilter<SafeText> | Promise<TextFilter<SafeText>> = unchanged): TextFilter {
  let filter: TextFilter<SafeText> = unchanged
  // What is not filtered yet. A carriage return is held back until it is known whether a line feed follows.
  let rest = ''
  let pause: Promise<void> | undefined
  const resume = (): void => void (pause = undefined)
  const waitFor = (work: Promise<unknown>): void => void (pause = work.then(resume, resume))
  if (other instanceof Promise) waitFor(other.then((loaded) => (filter = loaded)))
  else filter = other
  const filterRest = (mustWait: () => boolean): SafeText => {
    const shown: SafeText[] = []
    const turnEnd = performance.now() + longestSlice
    for (let end = pieceEnd(rest); end > 0 && !mustWait(); end = pieceEnd(rest)) {
      if (performance.now() > turnEnd) {
        waitFor(yieldToEventLoop())
        break
      }
      shown.push(filter.push(sanitizeForTerminal(rest.slice(0, end))))
      rest = rest.slice(end)
    }
    return joinSafe(shown)
  }
  return {
    push: (text) => {
      rest += text
      return filterRest(() => filter.loading !== undefined || pause !== undefined)
    },
    // What is left of a long text, after a turn, is left out: only a run that was stopped ends before `loading` is over.
    end: () => {
      const shown = filterRest(() => false)
      const last = rest === '\r' ? filter.push(sanitizeForTerminal(rest)) : noText
      rest = ''
      return safe`${shown}${last}${filter.end()}`
    },
    showHeld: (isStalled) => (rest === '' && filter.showHeld?.(isStalled)) || noText,
    get loading() {
      return filter.loading ?? pause
    },
    get awaited() {
      return filter.awaited
    },
  }
}

/** The end of the first piece: a line, or part of one. 0 if there is none, or a carriage return whose line feed may follow. */
function pieceEnd(text: string): number {
  const piece = text.slice(0, longestPiece)
  const end = piece.indexOf('\n') + 1 || piece.length
  return text.charAt(end - 1) === '\r' ? end - 1 : end
}

/** Passes a whole text through a filter. @throws the signal's reason if it aborts meanwhile. */
export async function filterText(text: string, filter: TextFilter, signal: AbortSignal): Promise<SafeText> {
  const shown = [filter.push(text)]
  while (filter.loading) {
    await filter.loading
    signal.throwIfAborted()
    shown.push(filter.push(''))
  }
  return joinSafe([...shown, filter.end()])
}
