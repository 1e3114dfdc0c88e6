/** The output of the chat at its start, and after /load. */

import type { Sink } from '../io/io.ts'
import { linesOf, safe, type SafeText, sanitizeName } from '../io/safe-text.ts'
import { chooseFilter } from '../answer/choose-printer.ts'
import { filterText } from '../terminal/text-filter.ts'
import { cutTo, foldTo } from '../terminal/width.ts'
import { transcriptLines } from '../conversation/transcript.ts'
import { currentModelName } from './answer.ts'
import { printNotice, type ChatState } from './state.ts'

/** How many turns and answers are shown, and how many lines of each. */
const limits = { nodes: 4, lines: 3 }

export async function greet(chat: ChatState): Promise<void> {
  chat.announcedModel = await currentModelName(chat)
  if (chat.context.options.quiet) return
  await printNotice(chat, `${sanitizeName(chat.announcedModel)} · /help for commands, Ctrl-D to exit`)
  if (chat.session.path.length > 0) await showLastTurns(chat)
}

/** Prints the end of the conversation, shortened. */
export async function showLastTurns(chat: ChatState): Promise<void> {
  const { context, session, style } = chat
  const { out } = context.io
  const transcript = transcriptLines(session.path.slice(-limits.nodes)).filter(({ role }) => role !== 'system')
  await printNotice(chat, `continuing: ${sanitizeName(session.title)}`)
  for (const { role, text, error } of transcript) {
    const lines = role === 'assistant' ? await answerLines(text, chat) : messageLines(text, chat)
    const visible = lines.slice(0, limits.lines)
    const more = lines.length - visible.length
    if (more > 0) visible.push(style.dim(safe`  … ${more} more ${more === 1 ? safe`line` : safe`lines`}`))
    if (error !== undefined) {
      visible.push(style.dim(cutTo(safe`  [incomplete: ${sanitizeName(error)}]`, out.columns() - 1)))
    }
    await out.write(linesOf(visible))
  }
  if (session.unanswered)
    await printNotice(chat, 'the last message has no answer: /retry sends it again, a new message replaces it')
}

function messageLines(text: string, { context, style }: ChatState): SafeText[] {
  const lines = text.split('\n').filter(isNotBlank)
  const width = context.io.out.columns() - 1
  return lines.map((line, index) =>
    style.dim(cutTo(safe`${index === 0 ? safe`› ` : safe`  `}${sanitizeName(line)}`, width)),
  )
}

/** Rendered like a new answer. */
async function answerLines(text: string, { context, style, isRaw }: ChatState): Promise<SafeText[]> {
  const { io } = context
  const narrower: Sink = { ...io.out, columns: () => Math.max(1, io.out.columns() - 3) }
  const newFilter = chooseFilter(isRaw, io, narrower, style)
  const lines = (await filterText(text, newFilter())).split('\n').filter(isNotBlank)
  return lines.flatMap((line) => foldTo(line, narrower.columns())).map((line) => safe`  ${line}`)
}

function isNotBlank(line: string): boolean {
  return line.trim() !== ''
}
