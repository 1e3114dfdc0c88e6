/** The state of the interactive chat, which slash commands change. */

import type { AskOptions } from '../answer/ask.ts'
import type { Dialect } from '../api/dialects.ts'
import type { Image } from '../api/image.ts'
import type { AnswerCheck } from '../answer/outcome.ts'
import type { Meter } from '../answer/meter.ts'
import type { UsageTotals } from '../answer/usage-totals.ts'
import type { ChatTools } from '../answer/tool-turns.ts'
import type { CommandContext } from '../context.ts'
import { isSummaryTurn, writtenTurnsIn } from '../conversation/conversation.ts'
import type { TurnEntry } from '../conversation/entry.ts'
import type { NewTurn, Session } from '../conversation/session.ts'
import { FailedError } from '../errors.ts'
import type { Sink } from '../io/io.ts'
import { linesOf, type SafeText, sanitizeForTerminal } from '../io/text/safe-text.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { TextFile } from '../input/prompt.ts'
import type { Style } from '../terminal/style.ts'
import type { Tool } from '../tools/tool.ts'
import { wrapWords } from '../terminal/wrap-words.ts'

/** `name` is the path, with its lines, or the URL as typed. */
export type Attachment =
  | ({ readonly kind: 'file' } & TextFile)
  | { readonly kind: 'image'; readonly name: string; readonly image: Image }

/** A file that the words mention. */
export type Mentioned = Attachment & { readonly bytes: number }

/** A message before it is sent. */
export interface Draft {
  readonly words: string
  readonly attachments: readonly Attachment[]
  /** Files of this message only: words that return to the line mention them again. */
  readonly mentioned?: readonly Mentioned[]
  /** The paths that the words mention and that are no files, with the reasons, for a notice. */
  readonly unattached?: readonly string[]
  /** Settings of its request only. */
  readonly once?: Partial<Pick<ChatSetup, 'model' | 'system' | 'fields' | 'check'>> | undefined
}

/** A message of the conversation that is in the input line, to be sent in its place. */
export interface EditedMessage {
  readonly number: number
  readonly turn: TurnEntry
  readonly attachedBefore: readonly Attachment[]
}

/** What the command line sets up; slash commands change some of it. */
export interface ChatSetup {
  readonly context: CommandContext
  readonly dialect: Dialect
  session: Session
  /** The model that was chosen; without one, that of the conversation or of the settings is used. */
  model: string | undefined
  /** The system prompt from the next message on. */
  system: string | undefined
  /** The fields of each request, without model and messages. */
  fields: JsonObject
  showsReasoning: boolean
  isRaw: boolean
  /** Whether to print all timings, tokens and costs after each answer. */
  readonly showsUsage: boolean
  /** What becomes of requests that fail or cost too much. */
  readonly limits: Pick<AskOptions, 'fallback' | 'maxWait' | 'spending'>
  readonly tools: ChatTools
  /** What `/from` names: files, folders and patterns. */
  from: readonly string[]
  readonly wantsPlaces: boolean
  /** @throws FailedError if the answer does not match `--schema`. */
  check?: AnswerCheck | undefined
  /** How often an answer that does not pass the check is sent back with what is wrong. */
  readonly repairs?: number | undefined
}

export interface ChatState extends ChatSetup {
  /** What the command line set: the fields, `model` and `system`. */
  readonly given: Readonly<Record<string, unknown>>
  readonly style: Style
  readonly usageTotals: UsageTotals
  /** The model that answered last, for when none was chosen; `/retry MODEL` does not change it. */
  lastModel: string | undefined
  /** The model that was printed last. */
  announcedModel: string | undefined
  /** Attached to the next message, in this order. */
  attachments: readonly Attachment[]
  /** Whether no earlier image is sent from the next message on. */
  omitsImages?: boolean | undefined
  /** The paths that were candidates after an `@`, or attached. */
  readonly offeredFiles: Set<string>
  /** The words after an `@` that attach nothing until they are typed, or taken from the list: they came with other text. */
  readonly textMentions: Set<string>
  /** What the messages of this chat were made of, by the ID of their turns. */
  readonly drafts: Map<string, Draft>
  /** Whether the last request waits for a used-up quota, or did when it was stopped. */
  isAtLimit?: boolean
  /** The file that `/save` may replace: it wrote it, or warned that it exists. */
  replaceablePath: string | undefined
  /** Aborted by Ctrl-C; a new one for each line. */
  readonly signal: AbortSignal
  /** Asks for one of the keys. @returns `undefined` for any other; Esc and Ctrl-C also abort `signal`. */
  askKey(question: SafeText, keys: string): Promise<string | undefined>
  /** Shows a message that was not sent from the line, as if it had been. @param isNew Whether it goes into the history (default: true). */
  showMessage(text: string, isNew?: boolean): void
  /** Called with the meter of each answer, before its request is sent. */
  onAnswer(meter: Meter): void
  /** @throws FailedError when the editor fails. */
  edit(text: string): Promise<string>
}

/** What the chat does after a slash command. */
export type Next =
  | { readonly kind: 'exit' }
  /** Sends a request, to `model` if given. `draft` is what the message was made of, if that is known. */
  | {
      readonly kind: 'ask'
      readonly turn: NewTurn
      readonly draft: Draft | undefined
      readonly model?: string | undefined
    }
  /** Sends words, which with `once` were not typed. */
  | ({ readonly kind: 'message' } & Pick<Draft, 'words' | 'once'>)
  /** Puts the text on the input line. */
  | { readonly kind: 'prefill'; readonly text: string; readonly edited?: EditedMessage | undefined }

export function switchTo(session: Session, chat: ChatState): void {
  askAgain(chat.tools.offered?.tools ?? [])
  chat.session = session
  chat.omitsImages = undefined
  chat.lastModel = session.conversation.lastModel
}

/** Revokes each "always" that the user answered; --allow still applies. */
export function askAgain(tools: Iterable<Tool>): void {
  for (const tool of tools) if (tool.approvedBy === 'user') tool.approvedBy = undefined
}

/** The last turn that a user wrote. @throws FailedError right after /compact. */
export function lastTurn({ session }: ChatState): TurnEntry | undefined {
  const turn = writtenTurnsIn(session.path).at(-1)
  if (!isSummaryTurn(turn)) return turn
  throw new FailedError('no message since /compact', { hint: 'use /undo to bring back those before it' })
}

/** Prints a dim notice, wrapped to the terminal, unless it is empty. */
export async function printNotice(
  { context: { io, secrets }, style }: ChatState,
  text: string,
  out: Sink = io.out,
): Promise<void> {
  if (text === '') return
  const lines = wrapWords(sanitizeForTerminal(secrets.maskNotice(text)), out.columns())
  await out.write(linesOf(lines.map(style.dim)))
}
