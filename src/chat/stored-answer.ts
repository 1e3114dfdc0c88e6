/** Past turns and answers as the chat shows them: at its start, after /load, and when a command asks for them. */

import { chooseFilter, chooseReasoningFilter } from '../answer/text-filters.ts'
import { titleOf } from '../answer/outcome.ts'
import type { AnswerNode } from '../conversation/conversation.ts'
import { messageReasoning } from '../conversation/message.ts'
import { fullText, transcriptLines } from '../conversation/transcript.ts'
import { noText, safe, type SafeText, sanitizeName, linesOf } from '../io/text/safe-text.ts'
import { filterText, type TextFilter } from '../terminal/text-filter.ts'
import { type ChatState, printNotice } from './state.ts'
import { timeAfterPause } from '../io/time/time.ts'
import { cutTo, widthOf } from '../terminal/width.ts'
import { currentModelName } from './answer.ts'

/** @param margin The columns that the caller puts before each line. @throws the reason when the user stops it. */
function renderAnswer(text: string, chat: ChatState, margin = 0): Promise<SafeText> {
  const { context, style, isRaw } = chat
  return filtered(text, chooseFilter(isRaw, context.io, context.io.out, style, margin)(), chat)
}

/**
 * The parts to print, without line feeds at their ends. Each of several choices has a heading.
 * @param view With `hasText: false`, only the reasoning.
 * @throws as `renderAnswer`.
 */
export async function answerParts(answer: AnswerNode, chat: ChatState, { hasText = true } = {}): Promise<SafeText[]> {
  const { style, isRaw, context } = chat
  const newReasoningFilter = chooseReasoningFilter(isRaw, context.io, context.io.out)
  const choices = [answer.message, ...answer.otherChoices]
  const parts: SafeText[] = []
  for (const [index, message] of choices.entries()) {
    const heading = choices.length > 1 ? safe`${style.bold(sanitizeName(titleOf(index)))}\n` : noText
    const reasoning = style.dim(await filtered(messageReasoning(message), newReasoningFilter(), chat))
    const text = hasText ? await renderAnswer(fullText(message), chat) : noText
    const [first = noText, ...others] = [reasoning, text].filter(Boolean)
    parts.push(safe`${heading}${first}`, ...others)
  }
  if (hasText && answer.error !== undefined) parts.push(style.dim(sanitizeName(`[incomplete: ${answer.error}]`)))
  return parts.filter((part) => part !== '')
}

async function filtered(text: string, filter: TextFilter, { context, signal }: ChatState): Promise<SafeText> {
  return (await filterText(text, filter, AbortSignal.any([context.io.signal, signal]))).trimEnd()
}

/** How many turns and answers are shown, and how many lines of each. */
const limits = { nodes: 4, rows: 3 }

/** The columns before each line of an answer. */
const margin = 2

export async function greet(chat: ChatState): Promise<void> {
  chat.announcedModel = await currentModelName(chat)
  if (chat.context.options.quiet) return
  await printNotice(chat, `${sanitizeName(chat.announcedModel)} · /help for commands, Ctrl-D to exit`)
  if (chat.session.path.length > 0) await showLastTurns(chat)
  await chat.context.io.out.write(safe`\n`)
}

/** Prints the end of the conversation, shortened. */
export async function showLastTurns(chat: ChatState): Promise<void> {
  const { context, session, style } = chat
  const { out } = context.io
  const transcript = transcriptLines(session.path.slice(-limits.nodes)).filter(({ role }) => role !== 'system')
  await printNotice(chat, `continuing: ${sanitizeName(session.conversation.title)}`)
  const isOld = timeAfterPause(context.io.now(), transcript[0]?.time ?? NaN) !== ''
  let before = isOld ? -Infinity : NaN
  for (const { role, text, time, error, label } of transcript) {
    await printNotice(chat, timeAfterPause(time, before))
    before = time || before
    if (label !== undefined) await printNotice(chat, `${label} of the messages before:`)
    const lines = role === 'assistant' ? await answerLines(text, chat) : messageLines(text, role, chat)
    const { visible, more } = firstRows(lines, out.columns())
    if (more > 0) visible.push(style.dim(safe`  … ${more} more ${more === 1 ? safe`line` : safe`lines`}`))
    if (error !== undefined) {
      visible.push(style.dim(cutTo(safe`  [incomplete: ${sanitizeName(error)}]`, out.columns() - 1)))
    }
    await out.write(linesOf(visible))
  }
  if (session.conversation.unanswered)
    await printNotice(chat, 'the last message has no answer: /retry sends it again, a new message replaces it')
}

function messageLines(text: string, role: string, { context, style }: ChatState): SafeText[] {
  const lines = text.split('\n').filter(isNotBlank)
  const width = context.io.out.columns() - 1
  return lines.map((line, index) =>
    style.dim(cutTo(safe`${index === 0 && role === 'user' ? safe`› ` : safe`  `}${sanitizeName(line)}`, width)),
  )
}

async function answerLines(text: string, chat: ChatState): Promise<SafeText[]> {
  const lines = (await renderAnswer(text, chat, margin)).split('\n').filter(isNotBlank)
  return lines.map((line) => safe`${safe` `.repeat(margin)}${line}`)
}

/** The lines that fit into the first rows, of which the terminal wraps long ones, and the number of rows after them. */
function firstRows(lines: readonly SafeText[], columns: number): { visible: SafeText[]; more: number } {
  const visible: SafeText[] = []
  let [used, more] = [0, 0]
  for (const line of lines) {
    const rows = Math.ceil(widthOf(line) / columns)
    if (more === 0 && used + rows <= limits.rows) {
      visible.push(line)
      used += rows
    } else more += rows
  }
  return { visible, more }
}

function isNotBlank(line: string): boolean {
  return line.trim() !== ''
}
