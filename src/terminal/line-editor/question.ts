/** What the line is asked for, and what comes back. */

export interface Question {
  /** One line, which may hold colours; it needs a blank at its end. */
  readonly prompt: string
  /** Stands in the line already, to be changed or sent. */
  readonly initial?: string | undefined
  /** Whether what was typed meanwhile goes into the line unsent, because something failed that it was to follow. */
  readonly holdsAhead?: boolean
}

export type Reply =
  /** What was sent, of one line or many, as it was written; it stands in the history by now. */
  | { readonly kind: 'text'; readonly text: string }
  /** The person wants to leave (Ctrl-D, or Ctrl-C twice, or the terminal is gone). */
  | { readonly kind: 'left' }

/** A question that was not answered yet. */
export interface Reading {
  readonly prompt: string
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}
