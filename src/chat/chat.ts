/** The interactive chat: reads a message, shows its answer, and again. */

import { toChatMessage } from '../api/chat/messages.ts'
import type { Family } from '../api/families.ts'
import type { CommandContext } from '../context.ts'
import type { Session } from '../conversation/session.ts'
import { InterruptedError, BrokenPipeError } from '../errors.ts'
import { turnOf } from '../input/prompt.ts'
import type { JsonObject } from '../io/json.ts'
import { History, historyPath } from '../terminal/line-editor/history.ts'
import { InputLine } from '../terminal/line-editor/input-line.ts'
import { answer } from './answer.ts'
import { slashCompleter } from './slash-commands/completer.ts'
import { greet } from './greeting.ts'
import { contextWarning } from './context-warning.ts'
import { runSlashCommand } from './slash-commands/registry.ts'
import { type ChatOptions, type ChatState, newSystem, type Next, note } from './state.ts'
import { UsageTotals } from './usage-totals.ts'

/** What the command line says of the chat. */
export interface Opening extends ChatOptions {
  readonly session: Session
  readonly family: Family
  readonly model: string | undefined
  readonly system: string | undefined
  /** Of each request, besides model and messages. */
  readonly fields: JsonObject
  readonly showsReasoning: boolean
  readonly isRaw: boolean
}

/** What leaves any program that reads lines; nobody says it to a model. */
const leavingWords: ReadonlySet<string> = new Set(['exit', 'quit'])

/** The signal that SIGINT is, which Ctrl-C stands for. */
const interruptNumber = 2

/**
 * Resolves when the person leaves.
 * @throws what is missing for any request (address, key), before anything is shown; the reason of `io.signal`.
 */
export async function converse(opening: Opening, context: CommandContext): Promise<void> {
  await context.client.connected()
  const { io, secrets } = context
  const history = await History.open(opening.session.isKept ? historyPath(io) : undefined, secrets)
  const style = await context.loadStyle(io.out)
  let stopping = new AbortController()
  const { session, family, model, system, fields, showsReasoning, isRaw } = opening
  const chat: ChatState = {
    context,
    style,
    session,
    family,
    model,
    lastModel: session.lastModel,
    toldModel: undefined,
    system,
    fields,
    showsReasoning,
    isRaw,
    usageTotals: new UsageTotals(),
    images: [],
    files: [],
    mayOverfill: false,
    mayReplace: undefined,
    get signal() {
      return stopping.signal
    },
    edit: (text) => line.edit(text),
  }
  const line = new InputLine({
    io,
    style,
    history,
    complete: slashCompleter(chat),
    onInterrupt: () => stopping.abort(new InterruptedError(interruptNumber)),
  })
  try {
    await greet(chat)
    let before: Taken = undefined
    for (;;) {
      const [initial, holdsTypeAhead] = [before?.kind === 'write' ? before.text : '', before?.kind === 'failed']
      // Made before it can be needed: Ctrl-C may come along with the Enter.
      stopping = new AbortController()
      const reply = await line.read({ prompt: `${style.bold('›')} `, initial, holdsTypeAhead })
      if (reply.kind === 'left') return
      before = await take(reply.text, chat, opening)
      if (before?.kind === 'leave') return
      await io.out.write('\n')
    }
  } finally {
    line.close()
    await history.settled()
  }
}

type Taken = Next | { readonly kind: 'failed' } | undefined

/** Does what a line asks for, and says what fails. */
async function take(text: string, chat: ChatState, options: ChatOptions): Promise<Taken> {
  if (leavingWords.has(text.trim())) return { kind: 'leave' }
  let isAsking = false
  let hasFailed = false
  try {
    const isCommand = /^\s*\/(?!\/)/.test(text)
    let next = isCommand
      ? await runSlashCommand(text.trimStart(), chat)
      : await messageOf(text.replace(/^(\s*)\/\//, '$1/'), chat)
    if (next?.kind === 'say') next = messageInstead(next, chat)
    if (next?.kind !== 'ask') return next ?? undefined
    isAsking = true
    await answer(next.said, chat, options, next.model)
  } catch (error) {
    const { io, notices } = chat.context
    // There is nobody to go on with.
    if (io.signal.aborted || error instanceof BrokenPipeError) throw error
    hasFailed = !chat.signal.aborted
    if (hasFailed) await notices.fail(error)
    else if (!isAsking) await note(chat, 'stopped')
    else if (!chat.session.unanswered) await note(chat, 'stopped; what came is kept')
  }
  if (isAsking && chat.session.unanswered) {
    await note(chat, 'no answer came: /retry asks again, or another message takes its place')
  }
  return hasFailed ? { kind: 'failed' } : undefined
}

/** The message with what goes along; back into the line where there is hardly room for it. */
async function messageOf(text: string, chat: ChatState): Promise<Next> {
  const { images, files } = chat
  const turn = turnOf({ words: text, files, images: images.map(({ image }) => image), piped: undefined })
  const warning = chat.mayOverfill ? undefined : await contextWarning(turn?.text ?? '', chat)
  chat.mayOverfill = warning !== undefined
  if (warning !== undefined) {
    await note(chat, warning)
    return { kind: 'write', text: text.replace(/^(\s*)\//, '$1//') }
  }
  chat.images = []
  chat.files = []
  return { kind: 'ask', said: { system: newSystem(chat), messages: turn ? [toChatMessage(turn)] : [] } }
}

function messageInstead({ text, images, instead }: Extract<Next, { kind: 'say' }>, chat: ChatState): Next {
  const message = toChatMessage({ role: 'user', text, images })
  return { kind: 'ask', said: { system: newSystem(chat), messages: [message], instead } }
}
