/** What the chat does with a line: it sends the message, or runs the command, and prints their failures. */

import { BrokenPipeError } from '../errors.ts'
import { answersIn } from '../conversation/conversation.ts'
import type { TurnEntry } from '../conversation/entry.ts'
import { terminalSink } from '../io/io.ts'
import { joinSafe, safe, type SafeText } from '../io/text/safe-text.ts'
import { Notices } from '../notices.ts'
import { sendTurn } from './answer.ts'
import { droppedFiles, endEdit, userMessage, offerToAttach, withStillAttached } from './attachments.ts'
import { mentionNotice, readMentions } from './mentions.ts'
import { argumentOf, type ChatLine, type SlashCommandLine, lineFor } from './slash-commands/chat-line.ts'
import { withSources } from './sources.ts'
import { turnWith } from './slash-commands/messages.ts'
import { type ChatState, type Draft, type EditedMessage, lastTurn, type Next, printNotice } from './state.ts'

export type LineResult = Next | { readonly kind: 'failed' } | undefined

/** @param edited The message that the line replaces, unless it was meant as a command. */
export async function handleLine(line: ChatLine, chat: ChatState, edited?: EditedMessage): Promise<LineResult> {
  if (!edited || line.kind !== 'message') {
    if (edited) await endEdit(edited, chat)
    return handle(line, chat)
  }
  const result = await handle(line, chat, edited.turn)
  const isReplaced = !chat.session.path.includes(edited.turn)
  if (result?.kind === 'prefill' && !isReplaced) return { ...result, edited }
  if (!isReplaced) await endEdit(edited, chat)
  return result
}

async function handle(line: ChatLine, chat: ChatState, instead?: TurnEntry): Promise<LineResult> {
  const { io } = chat.context
  const text = line.entered
  try {
    if (line.kind === 'command') {
      const next = await line.command.run(argumentOf(line), chat, io.out)
      if (typeof next === 'string') await printNotice(chat, next)
      if (typeof next !== 'object') return undefined
      if (next.kind === 'message') return await sendMessage(next, text, chat)
      if (next.kind === 'prefill') return { ...next, text: lineFor(next.text, io) }
      return next.kind === 'ask' ? await answer(next, lineFor(next.draft?.words ?? '', io), chat) : next
    }
    const paths = instead ? [] : droppedFiles(text, io)
    const isDropped = paths.length > 0
    if (line.kind === 'unknown' && !isDropped) throw line.error
    const isAttached = isDropped && (await offerToAttach(paths, chat))
    if (isAttached) return undefined
    if (isAttached === undefined) return { kind: 'prefill', text }
    return await sendMessage({ words: line.kind === 'message' ? line.words : text }, text, chat, instead)
  } catch (error) {
    const hasFailed = await reportFailure(error, chat)
    if (!hasFailed) await printNotice(chat, 'stopped')
    // A command is under Up: in the line, it would begin what is typed next.
    if (line.kind === 'message') return { kind: 'prefill', text }
    return hasFailed ? { kind: 'failed' } : undefined
  }
}

/** Runs a command during an answer. @returns what it printed, and why it failed. */
export async function printedBy(line: SlashCommandLine, chat: ChatState): Promise<SafeText> {
  const { io, secrets, options, notices } = chat.context
  const { signal } = chat
  const printed: SafeText[] = []
  const collect = async (text: SafeText): Promise<void> => void printed.push(text)
  const out = terminalSink(collect, { ...io.out, stream: undefined })
  try {
    const notice = await line.command.run(argumentOf(line), chat, out)
    if (typeof notice === 'string') await printNotice(chat, notice, out)
  } catch (error) {
    const printing = new Notices(out, secrets, options)
    printing.voice = notices.voice
    if (!signal.aborted) await printing.fail(error)
  }
  return joinSafe(printed)
}

/**
 * Sends a message, prints its failure and what is kept, and detaches what was answered.
 * @param text Returns to the line if nothing was sent.
 */
async function answer(next: Extract<Next, { kind: 'ask' }>, text: string, chat: ChatState): Promise<LineResult> {
  const { turn, draft, model = next.draft?.once?.model } = next
  const { session } = chat
  await session.settle(chat.context, chat.signal)
  const before = session.path
  let state: 'complete' | 'failed' | 'stopped' = 'complete'
  try {
    await printNotice(chat, mentionNotice(draft))
    await chat.context.io.out.write(safe`\n`)
    const { io } = chat.context
    const signal = AbortSignal.any([io.signal, chat.signal])
    const ask = async (question: SafeText): Promise<boolean> =>
      (await chat.askKey(safe`${question} [y]es, [n]o`, 'yn')) === 'y'
    await sendTurn(await withSources(turn, chat, { ...chat.context, io: { ...io, signal }, ask }), chat, {
      ...draft?.once,
      model,
    })
    await printNotice(chat, session.placesNotice ?? '')
  } catch (error) {
    state = (await reportFailure(error, chat)) ? 'failed' : 'stopped'
    // The message is not part of the conversation.
    if (session.path.at(-1) === before.at(-1) && !turn.isRetry) return { kind: 'prefill', text }
  }
  chat.omitsImages = undefined
  const last = session.path.at(-1)
  // With tools, there may be several answers, and results after the last one.
  const known = new Set(before)
  const isAnswered = answersIn(session.path).some((answer) => !known.has(answer))
  const { unanswered, awaitsAnswer } = session.conversation
  const sent = lastTurn(chat)
  if (sent && draft) chat.drafts.set(sent.id, draft)
  if (isAnswered) chat.attachments = chat.attachments.filter((one) => !draft?.attachments.includes(one))
  const isTakenBack = state === 'stopped' && chat.isAtLimit && unanswered !== undefined && !turn.isRetry
  let notice = ''
  if (isTakenBack) notice = 'stopped'
  else if (unanswered) notice = 'no answer: /retry sends the message again, a new message replaces it'
  else if (awaitsAnswer) notice = 'no answer to the results: /retry sends the message again, a new message follows them'
  else if (state === 'stopped') {
    const kept = isAnswered ? 'partial' : turn.isRetry ? 'previous' : undefined
    notice = kept === undefined ? 'stopped' : `stopped; the ${kept} answer is kept`
  } else if (isAnswered && last?.type === 'answer' && last.error !== undefined)
    notice = 'the partial answer is kept; /retry asks again'
  await printNotice(chat, isAnswered ? notice : withStillAttached(notice, chat))
  if (isTakenBack) return { kind: 'prefill', text }
  return state === 'failed' ? { kind: 'failed' } : undefined
}

/** Prints an error. @returns `false` if the user stopped the work. @throws the error if the chat cannot continue. */
async function reportFailure(error: unknown, { context, signal }: ChatState): Promise<boolean> {
  const { io, notices } = context
  if (io.signal.aborted || error instanceof BrokenPipeError) throw error
  if (!signal.aborted) await notices.fail(error)
  return !signal.aborted
}

/**
 * Sends the message with its attachments.
 * @param text The line.
 * @throws UsageError for a file that it mentions and that cannot be read.
 */
async function sendMessage(
  { words, once }: Pick<Draft, 'words' | 'once'>,
  text: string,
  chat: ChatState,
  instead?: TurnEntry,
): Promise<LineResult> {
  const draft = { words, once, attachments: chat.attachments, ...(await readMentions(words, chat)) }
  if (once) chat.showMessage(words, false)
  return answer({ kind: 'ask', draft, turn: turnWith(userMessage(draft), instead, chat) }, text, chat)
}
