/** The slash commands for messages that were sent: they are sent again, undone, changed, shown or copied. */

import { toChatMessage } from '../../api/chat/messages.ts'
import type { UserMessage } from '../../api/image.ts'
import { systemOf, timeOf, type AnswerNode, hasOnlyResults, isSummaryTurn } from '../../conversation/conversation.ts'
import type { TurnEntry } from '../../conversation/entry.ts'
import { messageRole, userContent, chatMessageText } from '../../conversation/message.ts'
import type { NewTurn } from '../../conversation/session.ts'
import { sourceText } from '../../input/sources.ts'
import type { Json } from '../../io/json/json.ts'
import { quote } from '../../io/json/print.ts'
import { attach, userMessage, withStillAttached, inputPrompt } from '../attachments.ts'
import { keepAsText, readMentions } from '../mentions.ts'
import { type ChatState, type Draft, lastTurn, printNotice, type Next } from '../state.ts'
import { FailedError, UsageError } from '../../errors.ts'
import { invalidValue } from '../../fields/problem.ts'
import { pluralize } from '../../io/text/plural.ts'
import type { Candidate } from '../../terminal/line-editor/candidate-list.ts'
import { resolveModel, completeModel } from '../argument-completion.ts'
import type { SlashCommand } from './slash-command.ts'
import { linesOf, noText, safe, sanitizeForTerminal } from '../../io/text/safe-text.ts'
import { clockTime } from '../../io/time/time.ts'
import { widthOf } from '../../terminal/width.ts'
import { answerParts } from '../stored-answer.ts'
import { copyToClipboard } from '../../io/process/clipboard.ts'
import { withSpinner } from '../../terminal/spinner.ts'

/** In characters, of a message in a notice or a list. */
const excerptLength = 60

/** The start of a message, on one line. */
function excerpt(words: string): string {
  const text = words.slice(0, 20 * excerptLength).replace(/\s+/g, ' ')
  return text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text
}

/** The message of a turn without an answer, with what is attached now, which the prompt shows. */
function unansweredDraft(turn: TurnEntry, { session, drafts, attachments }: ChatState): Draft | undefined {
  const draft = session.conversation.unanswered?.id === turn.id ? drafts.get(turn.id) : undefined
  return draft && { ...draft, attachments }
}

/** Attaches again what a message was sent with. @returns its words. */
export function takeBack(turn: TurnEntry, chat: ChatState): string {
  const { words, attachments } = draftToChange(turn, chat)
  for (const one of attachments) attach(one, chat)
  return words
}

/** A draft to edit. An `@` in a message from before this chat attaches nothing, as its words have the text of its files. */
function draftToChange(turn: TurnEntry, chat: ChatState): Draft {
  const draft = sentDraft(turn, chat)
  if (!chat.drafts.has(turn.id)) keepAsText(draft.words, chat)
  return draft
}

/** What the message of a turn was made of. The words of a message from before this chat have the text of its files. */
function sentDraft(turn: TurnEntry, { drafts }: ChatState): Draft {
  const { text, images } = userContent(turn.messages.findLast(isUser) ?? null)
  const attachments = images.map((image, index) => ({ kind: 'image', name: `image ${index + 1}`, image }) as const)
  return drafts.get(turn.id) ?? { words: text, attachments }
}

/**
 * @param message `undefined` to send that of `instead` again.
 * @param instead The turn that is replaced. What stands before its message is kept.
 */
export function turnWith(message: UserMessage | undefined, instead: TurnEntry | undefined, chat: ChatState): NewTurn {
  const { path } = chat.session
  const current = chat.system ?? systemOf(path)
  const before = instead ? path.slice(0, path.indexOf(instead)) : path
  const system = instead?.system === undefined && current === systemOf(before) ? undefined : current
  const kept = instead?.messages.slice(0, Math.max(0, instead.messages.findLastIndex(isUser))) ?? []
  const messages = message ? [...kept, toChatMessage(message)] : []
  return { system, messages, instead, omitsImages: chat.omitsImages }
}

function isUser(message: Json): boolean {
  return messageRole(message) === 'user'
}

/** Turn 0 is that of /compact, which nobody wrote. The answer of a turn is the last one before the next message. */
function allTurns({ session: { path } }: ChatState) {
  const turns: { readonly turn: TurnEntry; answer: AnswerNode | undefined }[] = []
  for (const node of path) {
    const last = turns.at(-1)
    if (node.type === 'turn' && !hasOnlyResults(node)) turns.push({ turn: node, answer: undefined })
    else if (node.type === 'answer' && last) last.answer = node
  }
  const first = isSummaryTurn(path[0]) ? 0 : 1
  return turns.map((one, index) => ({ number: first + index, ...one }))
}

export function numberedTurns(chat: ChatState) {
  return allTurns(chat).filter(({ number }) => number > 0)
}

/**
 * @param typed The number; `undefined` for the last message, or else the summary.
 * @throws FailedError without messages since /compact, UsageError if there is none with this number.
 */
function numberedTurn(typed: string | undefined, command: string, chat: ChatState) {
  const last = allTurns(chat).at(-1)
  if (!last) throw new FailedError(`${command}: no message yet`)
  if (typed === undefined) return last
  lastTurn(chat)
  const turns = numberedTurns(chat)
  if (!/^[1-9]\d*$/.test(typed)) {
    throw invalidValue(command, { path: [], found: quote(typed), expected: 'the number of a message' })
  }
  const turn = turns[Number(typed) - 1]
  if (!turn) throw new UsageError(`${command} ${typed}: the conversation has ${pluralize(turns.length, 'message')}`)
  return turn
}

/** The numbers for Tab, the newest first, with what the messages begin with. */
function completeNumber(_typed: string, chat: ChatState): Candidate[] {
  return numberedTurns(chat)
    .map(({ number, turn }) => ({ text: String(number), help: excerpt(sentDraft(turn, chat).words) }))
    .toReversed()
}

const retry: SlashCommand = {
  name: 'retry',
  argument: '[MODEL]',
  help: 'Send the last message again; MODEL applies only once.',
  complete: completeModel,
  run: async (typed, chat) => {
    const model = typed === undefined ? undefined : await resolveModel(typed, '/retry', chat)
    const last = lastTurn(chat)
    if (!last) throw new FailedError('/retry: no message yet')
    const unanswered = unansweredDraft(last, chat)
    const turn = { ...turnWith(unanswered && userMessage(unanswered), last, chat), isRetry: true }
    // The draft of an answered message is for /edit, with the settings of its request.
    return { kind: 'ask', turn, draft: unanswered ?? chat.drafts.get(last.id), model }
  },
}

const undo: SlashCommand = {
  name: 'undo',
  help: 'Undo the last message and its answer; edit it again.',
  run: async (_argument, chat) => {
    const turn = await chat.session.undo()
    if (!turn) throw new FailedError('/undo: no message yet')
    if (isSummaryTurn(turn)) return 'undone: /compact; the messages before it are back'
    if (turn.undoTo !== undefined) return withStillAttached('undone: the edit; what it replaced is back', chat)
    chat.system ??= turn.system
    const words = takeBack(turn, chat)
    await printNotice(chat, withStillAttached(`undone: ${excerpt(words)}`, chat))
    return { kind: 'prefill', text: words }
  },
}

const edit: SlashCommand = {
  name: 'edit',
  synonyms: ['/rewind', '/fork'],
  argument: '[N]',
  help: 'Edit message N and resend it; alone, the last in $EDITOR.',
  complete: completeNumber,
  run: async (typed, chat) => {
    if (typed !== undefined) return editInLine(typed, chat)
    const instead = lastTurn(chat)
    const draft = instead
      ? (unansweredDraft(instead, chat) ?? draftToChange(instead, chat))
      : { words: '', attachments: chat.attachments }
    const text = await chat.edit(draft.words)
    if (text.trim() === '' || text === draft.words) return 'no changes, nothing sent'
    chat.showMessage(text)
    const edited = { ...draft, once: undefined, words: text, ...(await readMentions(text, chat)) }
    return { kind: 'ask', turn: turnWith(userMessage(edited), instead, chat), draft: edited }
  },
}

async function editInLine(typed: string, chat: ChatState): Promise<Next> {
  const { number, turn } = numberedTurn(typed, '/edit', chat)
  if (sentDraft(turn, chat).words.trim() === '') throw new FailedError(`/edit: message ${number} has no text`)
  const attachedBefore = chat.attachments
  const text = takeBack(turn, chat)
  const kept = chat.session.isSaved ? ' (syn sessions show --all keeps them)' : ''
  await printNotice(
    chat,
    `editing message ${number}: Enter sends it in place of that one and what followed${kept}; Ctrl-C cancels`,
  )
  return { kind: 'prefill', text, edited: { number, turn, attachedBefore } }
}

const show: SlashCommand = {
  name: 'show',
  argument: '[N]',
  help: 'Show message N and its answer again; alone, the last.',
  runsAtOnce: true,
  complete: completeNumber,
  run: async (typed, chat, out) => {
    const { number, turn, answer } = numberedTurn(typed, '/show', chat)
    const isSummary = number === 0
    const { words, attachments } = sentDraft(turn, chat)
    const prompt = inputPrompt({ ...chat, attachments })
    const indent = safe` `.repeat(widthOf(prompt))
    const message = sanitizeForTerminal(words).split('\n')
    const lines = (isSummary ? [] : message).map(
      (line, index) => safe`${index === 0 ? prompt : indent}${chat.style.bold(line)}`,
    )
    const sources = (turn.sources ?? []).flatMap((source) => sanitizeForTerminal(sourceText(source)).split('\n'))
    const parts = answer ? await answerParts(answer, chat) : []
    const name = isSummary ? 'the summary' : `message ${number} of ${numberedTurns(chat).length}`
    const now = chat.context.io.now()
    const times = [turn, answer].flatMap((node) => (node && timeOf(node) ? [clockTime(timeOf(node), now)] : []))
    await printNotice(chat, [name, [...new Set(times)].join(' to ')].filter(Boolean).join(' · '), out)
    await out.write(linesOf([...lines, ...sources.map(chat.style.dim), ...parts.flatMap((part) => [noText, part])]))
    return answer ? undefined : 'no answer yet'
  },
}

const copy: SlashCommand = {
  name: 'copy',
  argument: '[N | code [N]]',
  help: 'Copy the last answer, answer N, or a code block.',
  runsAtOnce: true,
  complete: (typed, chat) => [{ text: 'code' }, ...completeNumber(typed, chat)],
  run: async (typed = '', chat, out) => {
    const { context, signal } = chat
    const [isValid, code, number] = /^(code)?(?: *(\d+))?$/.exec(typed) ?? []
    if (isValid === undefined) {
      const expected = 'the number of an answer, or code and the number of a code block'
      throw invalidValue('/copy', { path: [], found: quote(typed), expected })
    }
    const isNumbered = code === undefined && number !== undefined
    const last = isNumbered ? undefined : allTurns(chat).findLast(({ answer }) => answer)
    const found = last ?? numberedTurn(isNumbered ? number : undefined, '/copy', chat)
    if (!found.answer)
      throw new FailedError(`/copy: ${isNumbered ? `message ${number} has no answer` : 'no answer yet'}`)
    const name = found.number === 0 ? 'the summary' : `answer ${found.number}`
    const answer = chatMessageText(found.answer.message)
    const text = code === undefined ? answer : await codeBlock(number, answer, name, signal)
    const how = await withSpinner(safe`copying`, context, () => copyToClipboard(text, { ...context.io, out }, signal))
    return `copied ${pluralize(text.length, 'character')} of ${name} ${how}`
  },
}

/** @param number `undefined` for the last one. @throws UsageError without such a block, FailedError without any. */
async function codeBlock(number: string | undefined, text: string, name: string, signal: AbortSignal): Promise<string> {
  const { fencedBlocks } = await import('../../terminal/markdown/block-reader.ts')
  const blocks = await fencedBlocks(text, signal)
  const block = number === undefined ? blocks.at(-1) : blocks[Number(number) - 1]
  // Pasted into a shell, the last line feed would run the code.
  if (block !== undefined) return block.replace(/\n$/, '')
  if (number === undefined) throw new FailedError(`/copy code: ${name} has no code block`)
  const count = blocks.length === 0 ? 'no code block' : pluralize(blocks.length, 'code block')
  throw new UsageError(`/copy code ${number}: ${name} has ${count}`)
}

export const messageCommands: readonly SlashCommand[] = [retry, undo, edit, show, copy]
