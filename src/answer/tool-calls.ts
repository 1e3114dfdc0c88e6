/** The tool calls of one choice, put together from their pieces and shown as `name(arguments)`. */

import type { Delta } from '../stream/delta.ts'

export class ToolCalls {
  readonly #calls: { name: string; arguments: string }[] = []

  add(piece: Extract<Delta, { type: 'tool' }>): void {
    const call = (this.#calls[piece.call] ??= { name: '', arguments: '' })
    // Some services repeat the name with every piece.
    call.name ||= piece.name ?? ''
    call.arguments += piece.arguments ?? ''
  }

  /** A line for each call; arguments that are not whole stay as they came. */
  lines(): string[] {
    return this.#calls.filter(Boolean).map(({ name, arguments: given }) => `${name}(${given.trim()})`)
  }
}
