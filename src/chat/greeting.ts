/** The output of the chat at its start, and after /load. */

import { linesOf, safe, sanitizeName } from '../io/text/safe-text.ts'
import { cutTo } from '../terminal/width.ts'
import { transcriptLines } from '../conversation/transcript.ts'
import { currentModelName } from './answer.ts'
import { printNotice, type ChatState } from './state.ts'

/** How many turns and answers are shown, and how many lines of each. */
const limits = { nodes: 4, rows: 3 }

export async function greet(chat: ChatState): Promise<void> {
  chat.announcedModel = await currentModelName(chat)
  if (chat.context.options.quiet) return
  await printNotice(chat, `${sanitizeName(chat.announcedModel)} · /help for commands, Ctrl-D to exit`)
  if (chat.session.path.length > 0) await showLastTurns(chat)
  await chat.context.io.out.write(safe`\n`)
}

/** Prints the end of the conversation, shortened, each line in one row. */
export async function showLastTurns(chat: ChatState): Promise<void> {
  const { context, session, style } = chat
  const { out } = context.io
  const width = out.columns() - 1
  const transcript = transcriptLines(session.path.slice(-limits.nodes)).filter(({ role }) => role !== 'system')
  await printNotice(chat, `continuing: ${sanitizeName(session.conversation.title)}`)
  for (const { role, text, error, label } of transcript) {
    if (label !== undefined) await printNotice(chat, `${label} of the messages before:`)
    const lines = context.secrets.mask(text).split('\n').filter(isNotBlank)
    const visible = lines.slice(0, limits.rows).map((line, index) => {
      const lead = index === 0 && role === 'user' ? safe`› ` : safe`  `
      const row = cutTo(safe`${lead}${sanitizeName(line)}`, width)
      return role === 'assistant' ? row : style.dim(row)
    })
    const more = lines.length - visible.length
    if (more > 0) visible.push(style.dim(safe`  … ${more} more ${more === 1 ? safe`line` : safe`lines`}`))
    if (error !== undefined) visible.push(style.dim(cutTo(safe`  [incomplete: ${sanitizeName(error)}]`, width)))
    await out.write(linesOf(visible))
  }
  if (session.conversation.unanswered)
    await printNotice(chat, 'the last message has no answer: /retry sends it again, a new message replaces it')
}

function isNotBlank(line: string): boolean {
  return line.trim() !== ''
}
