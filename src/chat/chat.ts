/** The interactive chat: a loop that reads a line, and answers the message or runs the command in it. */

import { toChatMessage } from '../api/chat/messages.ts'
import type { Family } from '../api/families.ts'
import type { CommandContext } from '../context.ts'
import type { Session } from '../conversation/session.ts'
import { BrokenPipeError, InterruptedError, StatusError, withHint } from '../errors.ts'
import { turnOf } from '../input/prompt.ts'
import type { JsonObject } from '../io/json.ts'
import { safe } from '../io/safe-text.ts'
import { History, historyPath } from '../terminal/line-editor/history.ts'
import { InputLine } from '../terminal/line-editor/input-line.ts'
import { sendTurn } from './answer.ts'
import { slashCompleter } from './slash-commands/completer.ts'
import { greet } from './greeting.ts'
import { contextWarning } from './context-warning.ts'
import { runSlashCommand } from './slash-commands/registry.ts'
import { type ChatOptions, type ChatState, newSystem, type Next, printNotice } from './state.ts'
import { Status } from './status.ts'
import { UsageTotals } from './usage-totals.ts'

/** The chat as set up by the command line. */
export interface ChatSetup extends ChatOptions {
  readonly session: Session
  readonly family: Family
  readonly model: string | undefined
  readonly system: string | undefined
  /** The fields of each request, without model and messages. */
  readonly fields: JsonObject
  readonly showsReasoning: boolean
  readonly isRaw: boolean
}

/** They exit most programs that read lines, and make no sense as messages. */
const exitWords: ReadonlySet<string> = new Set(['exit', 'quit'])

const SIGINT = 2

/**
 * Resolves when the user exits.
 * @throws UsageError for a missing base URL or key, before anything is shown; the reason of `io.signal`.
 */
export async function runChat(setup: ChatSetup, context: CommandContext): Promise<void> {
  await context.client.connected()
  const { io, secrets } = context
  // No command may wait for the end of what the line editor reads.
  io.in.reader ??= 'the chat'
  const history = await History.open(setup.session.isSaved ? historyPath(io) : undefined, secrets)
  const style = await context.loadStyle(io.out)
  let stopping = new AbortController()
  const { session, family, model, system, fields, showsReasoning, isRaw } = setup
  const chat: ChatState = {
    context,
    style,
    session,
    family,
    model,
    lastModel: session.lastModel,
    announcedModel: undefined,
    system,
    fields,
    showsReasoning,
    isRaw,
    usageTotals: new UsageTotals(),
    images: [],
    files: [],
    hasWarnedOfContext: false,
    replaceablePath: undefined,
    get signal() {
      return stopping.signal
    },
    edit: (text) => line.edit(text),
    onAnswer: (meter) => status.answering(meter),
  }
  const status = new Status(chat, (parts) => line.setStatus(parts))
  const line = new InputLine({
    io,
    style,
    history,
    complete: slashCompleter(chat),
    onInterrupt: () => stopping.abort(new InterruptedError(SIGINT)),
    onText: (text) => {
      if (text.trim() !== '' && !isCommand(text)) context.client.preconnect()
    },
  })
  try {
    await greet(chat)
    let last: LineResult = undefined
    for (;;) {
      const initial = last?.kind === 'prefill' ? last.text : ''
      // Created before the read: Ctrl-C may arrive together with the Enter.
      stopping = new AbortController()
      status.idle()
      const reply = await line.read({
        prompt: safe`${style.bold(safe`›`)} `,
        initial,
        returnsQueued: last?.kind === 'failed',
      })
      status.hide()
      if (reply.kind === 'exit') return
      last = await handleLine(reply.text, chat, setup)
      if (last?.kind === 'exit') return
      await io.out.write(safe`\n`)
    }
  } finally {
    status.close()
    line.close()
    await history.settled()
  }
}

/** Two slashes begin a message with one. */
function isCommand(text: string): boolean {
  return /^\s*\/(?!\/)/.test(text)
}

type LineResult = Next | { readonly kind: 'failed' } | undefined

/** Sends a message or runs a command, and prints its failure. */
async function handleLine(text: string, chat: ChatState, options: ChatOptions): Promise<LineResult> {
  if (exitWords.has(text.trim())) return { kind: 'exit' }
  let isAsking = false
  let hasFailed = false
  try {
    let next = isCommand(text)
      ? await runSlashCommand(text.trimStart(), chat)
      : await composeMessage(text.replace(/^(\s*)\/\//, '$1/'), chat)
    if (next?.kind === 'replace') next = replacementMessage(next, chat)
    if (next?.kind !== 'ask') return next ?? undefined
    isAsking = true
    await chat.context.io.out.write(safe`\n`)
    await sendTurn(next.turn, chat, options, next.model)
  } catch (error) {
    const { io, notices } = chat.context
    // The chat cannot continue.
    if (io.signal.aborted || error instanceof BrokenPipeError) throw error
    hasFailed = !chat.signal.aborted
    if (hasFailed) await notices.fail(withChatHint(error))
    else if (!isAsking) await printNotice(chat, 'stopped')
    else if (!chat.session.unanswered) await printNotice(chat, 'stopped; the partial answer is kept')
  }
  if (isAsking && chat.session.unanswered) {
    await printNotice(chat, 'no answer: /retry sends the message again, a new message replaces it')
  }
  return hasFailed ? { kind: 'failed' } : undefined
}

const overflowHint = 'use /undo or /new to shorten the conversation; /tokens, like syn count-tokens, counts its tokens'

function withChatHint(error: unknown): unknown {
  return error instanceof StatusError && error.isContextOverflow ? withHint(error, overflowHint) : error
}

/** The message with its attachments; back to the prompt, with a warning, if it nearly fills the context window. */
async function composeMessage(text: string, chat: ChatState): Promise<Next> {
  const { images, files } = chat
  const turn = turnOf({ words: text, files, images: images.map(({ image }) => image), stdinText: undefined })
  const warning = chat.hasWarnedOfContext ? undefined : await contextWarning(turn?.text ?? '', chat)
  chat.hasWarnedOfContext = warning !== undefined
  if (warning !== undefined) {
    await printNotice(chat, warning)
    return { kind: 'prefill', text: text.replace(/^(\s*)\//, '$1//') }
  }
  chat.images = []
  chat.files = []
  return { kind: 'ask', turn: { system: newSystem(chat), messages: turn ? [toChatMessage(turn)] : [] } }
}

function replacementMessage({ text, images, instead }: Extract<Next, { kind: 'replace' }>, chat: ChatState): Next {
  const message = toChatMessage({ role: 'user', text, images })
  return { kind: 'ask', turn: { system: newSystem(chat), messages: [message], instead } }
}
