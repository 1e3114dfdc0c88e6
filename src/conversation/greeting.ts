/** What a chat begins with. */

import { harmlessName } from '../io/harmless.ts'
import { cutTo } from '../render/width.ts'
import { spokenBy } from '../transcript/spoken.ts'
import { modelName } from './answer.ts'
import { note, type ChatState } from './state.ts'

/** Turns and answers, of which each has this many lines. */
const shown = { nodes: 4, lines: 3 }

export async function greet(chat: ChatState): Promise<void> {
  chat.toldModel = await modelName(chat)
  if (chat.context.options.quiet) return
  await note(chat, `${harmlessName(chat.toldModel)} · /help lists the commands, Ctrl-D leaves`)
  if (chat.session.path.length > 0) await showLastTurns(chat)
}

/** The end of the conversation, in brief. */
export async function showLastTurns(chat: ChatState): Promise<void> {
  const { context, session, style } = chat
  const { out } = context.io
  const said = spokenBy(session.path.slice(-shown.nodes)).filter(({ role }) => role !== 'system')
  await note(chat, `going on with: ${harmlessName(session.title)}`)
  for (const { role, text, error } of said) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    const mark = role === 'user' ? '› ' : '  '
    const kept = lines
      .slice(0, shown.lines)
      .map((line, index) => cutTo(`${index === 0 ? mark : '  '}${harmlessName(line)}`, out.columns() - 1))
    if (lines.length > shown.lines) kept.push(`  … ${lines.length - shown.lines} more lines`)
    if (error !== undefined) kept.push(cutTo(`  [not whole: ${harmlessName(error)}]`, out.columns() - 1))
    await out.write(kept.map((line) => `${style.dim(line)}\n`).join(''))
  }
  if (session.unanswered) await note(chat, 'the last message got no answer: /retry asks again')
}
