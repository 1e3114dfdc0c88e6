/** A command within the chat: a line that begins with a slash. */

import type { ChatState, Next } from '../state.ts'

export interface SlashCommand {
  readonly name: string
  /** As help writes it; in brackets if it is optional. Without it the command takes no argument. */
  readonly argument?: string
  readonly help: string
  /** For Tab: the possible arguments, each of them whole, not only what follows `typed`. */
  complete?(typed: string, chat: ChatState): Promise<readonly string[]> | readonly string[]
  /**
   * @param argument Without white space around it; empty if absent.
   * @returns what the chat does next, if anything.
   * @throws errors that are shown to the user; the chat goes on.
   */
  run(argument: string, chat: ChatState): Promise<Next | undefined | void>
}
