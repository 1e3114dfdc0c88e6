import type { TabCandidate, Completer } from '../../terminal/line-editor/tab-completion.ts'
import type { ChatState } from '../state.ts'
import { parseChatLine } from './chat-line.ts'
import { slashCommands } from './registry.ts'

/** Tab completion of slash commands and their arguments; messages are not completed. */
export function slashCompleter(chat: ChatState): Completer {
  return (text, cursor) => {
    const typed = text.slice(0, cursor)
    const line = parseChatLine(typed)
    if (line.kind === 'message') return undefined
    const name = typed.trimStart()
    if (line.kind === 'unknown' || line.argument === undefined) {
      return { start: cursor - name.length, end: cursor, candidates: commandsFrom(name) }
    }
    const { argument, command } = line
    const start = cursor - argument.length
    const all = command.complete?.(argument, chat)
    if (all === undefined) return undefined
    const completion = (all: readonly (string | TabCandidate)[]) => ({
      start,
      end: cursor,
      candidates: argumentsFrom(argument, all),
    })
    return all instanceof Promise ? all.then(completion) : completion(all)
  }
}

function commandsFrom(typed: string): TabCandidate[] {
  return slashCommands
    .map(({ name, argument }) => ({ text: argument === undefined ? `/${name}` : `/${name} ` }))
    .filter(({ text }) => text.startsWith(typed))
}

/** The displayed candidates omit the words and directories that are already typed. */
function argumentsFrom(typed: string, all: readonly (string | TabCandidate)[]): TabCandidate[] {
  const [{ length: same } = ''] = /^.*[ /]/s.exec(typed) ?? []
  return all
    .map((one) => (typeof one === 'string' ? { text: one } : one))
    .filter(({ text }) => text.startsWith(typed))
    .map((one) => ({ shown: one.text.slice(same).trimEnd(), ...one }))
}
