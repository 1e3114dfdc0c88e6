/** An answer before limits are applied. If there are calls, there is no text. */
export interface WrittenAnswer {
  readonly reasoning: string
  readonly text: string
  readonly calls: readonly MadeCall[]
}

export interface MadeCall {
  readonly id: string
  readonly name: string
  /** Tokens of the arguments' JSON text. */
  readonly arguments: readonly string[]
}
