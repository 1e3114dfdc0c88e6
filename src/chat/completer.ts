/** What can be completed at the cursor: slash commands with their arguments, and in a message the files after `@`. */

import type { Candidates, Completer } from '../terminal/line-editor/candidate-list.ts'
import { lastMention, longestPath, mentionOf, wordOf } from './mentions.ts'
import type { ChatLine, SlashCommandLine } from './slash-commands/chat-line.ts'
import { promptCommands, slashCommands } from './slash-commands/registry.ts'
import type { ChatState } from './state.ts'
import { completePath, pathScope, unquoted } from './argument-completion.ts'
import type { ListFiles } from './working-files.ts'

type Completion = ReturnType<Completer>

/** @param signal Stops the reading of the working directory. */
export function chatCompleter(chat: ChatState, parse: (entered: string) => ChatLine, signal: AbortSignal): Completer {
  const { io } = chat.context
  let known: { readonly before: string; candidates: Candidates | Promise<Candidates> } | undefined
  /** What can follow a text; it is asked for once, also if there is nothing. */
  const findOnce = (before: string, find: () => Promise<Candidates>): Candidates | Promise<Candidates> => {
    if (known?.before === before) return known.candidates
    const asked: typeof known = { before, candidates: [] }
    known = asked
    return (asked.candidates = find().then((found) => (asked.candidates = found)))
  }
  let commands: Candidates | undefined
  const completeName = (typed: string, cursor: number): Completion => {
    known = undefined
    // The prompts are read again with each slash.
    if (typed === '') commands = undefined
    commands ??= [...slashCommands, ...promptCommands(chat)].map(({ name, argument, help }) => {
      return { text: argument === undefined ? name : `${name} `, shown: `/${name}`, help }
    })
    return { start: cursor - typed.length, candidates: commands }
  }
  const completeArgument = ({ command, entered, argument = '' }: SlashCommandLine): Completion => {
    const { complete } = command
    if (!complete) return undefined
    const [scope = ''] = command.scope?.exec(argument) ?? []
    const start = entered.length - argument.length + scope.length
    return { start, candidates: findOnce(entered.slice(0, start), async () => complete(scope, chat)) }
  }

  const candidateOf = (path: string) => {
    const mention = mentionOf(path)
    chat.offeredFiles.add(unquoted(mention))
    return { text: `${mention}${path.endsWith('/') ? '' : ' '}`, shown: path }
  }
  let listFiles: ListFiles = async () => {
    const { openWorkingFiles } = await import('./working-files.ts')
    listFiles = openWorkingFiles(io, candidateOf, signal)
    return listFiles()
  }
  const completeMention = (before: string): Completion => {
    const [typed, quoted, path = quoted ?? ''] = lastMention.exec(before.slice(-longestPath)) ?? []
    if (typed === undefined || chat.textMentions.has(wordOf(typed.slice(1)))) return undefined
    const start = before.length - typed.length + 1
    const [scope = ''] = pathScope.exec(path) ?? []
    if (!/^(\.{0,2}|~)\//.test(path)) {
      known = undefined
      return { start, candidates: listFiles() }
    }
    const directory = scope.slice(0, scope.lastIndexOf('/') + 1)
    const find = async () => {
      const { isOffered } = await import('../io/files/folder-files.ts')
      const paths = (await completePath(scope, chat)).map(({ shown }) => `${directory}${shown}`)
      return paths.filter(isOffered).map(candidateOf)
    }
    return { start, candidates: findOnce(before.slice(0, start) + scope, find) }
  }

  return (text, cursor) => {
    const before = text.slice(0, cursor)
    const [, name] = /^\s*\/([^\s/]*)$/.exec(before) ?? []
    if (name !== undefined) return /^(\s|$)/.test(text.slice(cursor)) ? completeName(name, cursor) : undefined
    const line = parse(text)
    if (line.kind !== 'command' || line.command.takesMentions) return completeMention(before)
    return line.argument === undefined || cursor < text.length ? undefined : completeArgument(line)
  }
}
