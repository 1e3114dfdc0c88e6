/** What a chat begins with. */

import { sanitizeName } from '../io/sanitize.ts'
import type { Sink } from '../io/io.ts'
import { chooseFilter } from '../answer/choose-printer.ts'
import { filterText } from '../terminal/text-filter.ts'
import { cutTo, foldTo } from '../terminal/width.ts'
import { transcriptOf } from '../conversation/transcript.ts'
import { currentModelName } from './answer.ts'
import { note, type ChatState } from './state.ts'

/** Turns and answers, of which each has this many lines. */
const shown = { nodes: 4, lines: 3 }

export async function greet(chat: ChatState): Promise<void> {
  chat.toldModel = await currentModelName(chat)
  if (chat.context.options.quiet) return
  await note(chat, `${sanitizeName(chat.toldModel)} · /help lists the commands, Ctrl-D leaves`)
  if (chat.session.path.length > 0) await showLastTurns(chat)
}

/** The end of the conversation, in brief. */
export async function showLastTurns(chat: ChatState): Promise<void> {
  const { context, session, style } = chat
  const { out } = context.io
  const said = transcriptOf(session.path.slice(-shown.nodes)).filter(({ role }) => role !== 'system')
  await note(chat, `going on with: ${sanitizeName(session.title)}`)
  for (const { role, text, error } of said) {
    const lines = role === 'assistant' ? await answerLines(text, chat) : messageLines(text, chat)
    const kept = lines.slice(0, shown.lines)
    const more = lines.length - kept.length
    if (more > 0) kept.push(style.dim(`  … ${more} more ${more === 1 ? 'line' : 'lines'}`))
    if (error !== undefined) {
      kept.push(style.dim(cutTo(`  [not whole: ${sanitizeName(error)}]`, out.columns() - 1)))
    }
    await out.write(kept.map((line) => `${line}\n`).join(''))
  }
  if (session.unanswered) await note(chat, 'the last message got no answer: /retry asks again')
}

function messageLines(text: string, { context, style }: ChatState): string[] {
  const lines = text.split('\n').filter(isWritten)
  const width = context.io.out.columns() - 1
  return lines.map((line, index) => style.dim(cutTo(`${index === 0 ? '› ' : '  '}${sanitizeName(line)}`, width)))
}

/** Laid out as it was when it came. */
async function answerLines(text: string, { context, style, isRaw }: ChatState): Promise<string[]> {
  const { io } = context
  const narrower: Sink = { ...io.out, columns: () => Math.max(1, io.out.columns() - 3) }
  const newFilter = chooseFilter(isRaw, io, narrower, style)
  const lines = (await filterText(text, newFilter())).split('\n').filter(isWritten)
  return lines.flatMap((line) => foldTo(line, narrower.columns())).map((line) => `  ${line}`)
}

function isWritten(line: string): boolean {
  return line.trim() !== ''
}
