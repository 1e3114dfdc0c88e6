/** What an interactive chat knows at each moment; its commands change it. */

import type { Family } from '../api/families.ts'
import type { Image } from '../api/image.ts'
import type { CommandContext } from '../context.ts'
import type { TurnNode } from '../conversation/conversation.ts'
import type { NewTurn, Session } from '../conversation/session.ts'
import type { TextFile } from '../input/prompt.ts'
import { sanitizeForTerminal } from '../io/sanitize.ts'
import type { JsonObject } from '../io/json.ts'
import type { Style } from '../terminal/style.ts'
import { wrapWords } from '../terminal/width.ts'
import type { UsageTotals } from './usage-totals.ts'

export interface AttachedImage {
  /** As it was typed. */
  readonly source: string
  readonly image: Image
}

export interface ChatState {
  readonly context: CommandContext
  readonly style: Style
  readonly usageTotals: UsageTotals
  readonly family: Family
  session: Session
  /** The one that was named; else that of the conversation or of the settings is asked. */
  model: string | undefined
  /** The one to go on with where none was named: it answered last, and was not asked for once only. */
  lastModel: string | undefined
  /** The one that the person was told of last. */
  toldModel: string | undefined
  /** The instruction from the next message on. */
  system: string | undefined
  /** Of each request, besides model and messages. */
  fields: JsonObject
  /** What goes along with the next message. */
  images: readonly AttachedImage[]
  files: readonly TextFile[]
  showsReasoning: boolean
  isRaw: boolean
  /** Whether the next message is sent though the context is nearly full. */
  mayOverfill: boolean
  /** The file that holds something else, and that the next `/save` may replace all the same. */
  mayReplace: string | undefined
  /** Ends what goes on at this moment. */
  readonly signal: AbortSignal
  /** @throws FailedError when the editor fails. */
  edit(text: string): Promise<string>
}

/** What comes after a command. */
export type Next =
  | { readonly kind: 'leave' }
  /** A request, to this model where one is named. */
  | { readonly kind: 'ask'; readonly said: NewTurn; readonly model?: string | undefined }
  /** A message as if it had been typed, in the place of a turn. */
  | {
      readonly kind: 'say'
      readonly text: string
      readonly images: readonly Image[]
      readonly instead?: TurnNode | undefined
    }
  /** The text stands in the line at the next read. */
  | { readonly kind: 'write'; readonly text: string }

/** The instruction, where it is another than the one in force. */
export function newSystem({ system, session }: ChatState): string | undefined {
  return system === session.system ? undefined : system
}

/** Says something beside the conversation, in as many lines as it takes. */
export async function note({ context: { io, secrets }, style }: ChatState, text: string): Promise<void> {
  const lines = wrapWords(sanitizeForTerminal(secrets.mask(text)), io.out.columns())
  await io.out.write(lines.map((line) => `${style.dim(line)}\n`).join(''))
}

/** What the command line says of all requests of a chat. */
export interface ChatOptions {
  /** Whether the alias is asked when the model is gone. */
  readonly fallback: boolean
  /** Whether all is told that is known of times, tokens and cost. */
  readonly usage: boolean
  /** Throws when an answer's text is not what was asked for. */
  check?(text: string): void
}
