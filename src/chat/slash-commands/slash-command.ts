/** What a command within the chat is: a line that begins with a slash. */

import type { ChatState, Next } from '../state.ts'

export interface SlashCommand {
  readonly name: string
  /** What may follow the name, as help writes it. */
  readonly argument?: string
  readonly help: string
  /** What the argument may be, as far as it is typed; each stands for the whole argument. */
  complete?(typed: string, chat: ChatState): Promise<readonly string[]> | readonly string[]
  /**
   * @param argument Without white space around it; empty when absent.
   * @throws what the person is told; the chat goes on.
   */
  run(argument: string, chat: ChatState): Promise<Next | undefined | void>
}
