/** The output of the chat at its start, and after /load. */

import { linesOf, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { cutTo, widthOf } from '../terminal/width.ts'
import { transcriptLines } from '../conversation/transcript.ts'
import { currentModelName } from './answer.ts'
import { renderAnswer } from './past-answer.ts'
import { printNotice, type ChatState } from './state.ts'

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
  for (const { role, text, error, label } of transcript) {
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
