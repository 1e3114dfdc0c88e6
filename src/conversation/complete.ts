import type { Candidate, Completer } from './line/completion.ts'
import { commandNamed, commands } from './commands/table.ts'
import type { ChatState } from './state.ts'

/** Completes commands and what follows them; a message is left alone. */
export function completerOf(chat: ChatState): Completer {
  return (text, cursor) => {
    const typed = text.slice(0, cursor)
    if (!/^\/(?!\/)/.test(typed)) return undefined
    const [, name, argument = ''] = /^\/(\S+)\s+([^]*)$/.exec(typed) ?? []
    if (name === undefined) return { start: 0, end: cursor, candidates: commandsLike(typed) }
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

function like(typed: string, all: readonly string[]): Candidate[] {
  return all
    .filter((one) => one.startsWith(typed))
    .map((text) => ({ text, shown: text.includes('/') ? text.replace(/^.*\/(?=.)/, '') : text.trimEnd() }))
}
