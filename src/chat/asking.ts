/** What the command line says of all requests of a chat. */
export interface Asking {
  /** Whether the alias is asked when the model is gone. */
  readonly fallback: boolean
  /** Whether all is told that is known of times, tokens and cost. */
  readonly usage: boolean
  /** Throws when an answer's text is not what was asked for. */
  check?(text: string): void
}
