import type { Candidate, Completer } from '../../terminal/line-editor/tab-completion.ts'
import { commandNamed, commands } from './registry.ts'
import type { ChatState } from '../state.ts'

/** Completes commands and what follows them; a message is left alone. */
export function completerOf(chat: ChatState): Completer {
  return (text, cursor) => {
    const typed = text.slice(0, cursor)
    const [, before = '', word] = /^(\s*)(\/(?!\/)[^]*)$/.exec(typed) ?? []
    if (word === undefined) return undefined
    const [, name, argument = ''] = /^\/(\S+)\s+([^]*)$/.exec(word) ?? []
    if (name === undefined) return { start: before.length, end: cursor, candidates: commandsLike(word) }
    const command = commandNamed(name)
    if (!command?.complete) return undefined
    const start = cursor - argument.length
    const candidates = command.complete(argument, chat)
    const completion = (all: readonly string[]) => ({ start, end: cursor, candidates: like(argument, all) })
    return candidates instanceof Promise ? candidates.then(completion) : completion(candidates)
  }
}

function commandsLike(typed: string): Candidate[] {
  return commands
    .map(({ name, argument }) => ({ text: argument === undefined ? `/${name}` : `/${name} ` }))
    .filter(({ text }) => text.startsWith(typed))
}

/** Listed without the words and folders that they all begin with. */
function like(typed: string, all: readonly string[]): Candidate[] {
  const [{ length: same } = ''] = /^.*[ /]/s.exec(typed) ?? []
  return all.filter((one) => one.startsWith(typed)).map((text) => ({ text, shown: text.slice(same).trimEnd() }))
}
