/** A command of the chat: a line that starts with a slash. */

import type { Candidate } from '../../terminal/line-editor/candidate-list.ts'
import type { Sink } from '../../io/io.ts'
import type { ChatState, Next } from '../state.ts'

export interface SlashCommand {
  readonly name: string
  /** Other names, known from other programs. */
  readonly aliases?: readonly string[]
  /** What other programs take for it: answered with its name, and not run, as some of it means more elsewhere. */
  readonly synonyms?: readonly string[]
  /** What the help shows for the argument, in brackets if optional; absent if the command takes none. */
  readonly argument?: string
  readonly help: string
  /** Whether quotes are part of the argument; otherwise those around it are removed. */
  readonly takesText?: true
  /** Whether an `@` in the argument attaches a file. */
  readonly takesMentions?: true
  /** Whether it also runs during an answer: then it prints to `out` only, and does not ask the user. */
  readonly runsAtOnce?: true
  /** What of an argument decides about the candidates for the rest, such as the directory of a path. */
  readonly scope?: RegExp
  /** Whatever can follow the scope. Asked for once, while the rest is typed. */
  complete?(scope: string, chat: ChatState): Promise<readonly Candidate[]> | readonly Candidate[]
  /**
   * @param argument Trimmed; `undefined` if absent, empty for empty quotes.
   * @param out Standard output, or what is shown between two rows of an answer.
   * @returns a notice to be printed, or what the chat does next.
   * @throws errors that are printed; the chat continues.
   */
  run(argument: string | undefined, chat: ChatState, out: Sink): Promise<Next | string | void>
}

/** `/model [NAME]` */
export function usageOf({ name, argument }: SlashCommand): string {
  return `/${name}${argument ? ` ${argument}` : ''}`
}
