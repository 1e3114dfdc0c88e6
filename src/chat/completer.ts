/** What can be completed at the cursor: slash commands with their arguments, and in a message the files after `@`. */

import { plainText } from '../terminal/line-editor/pasted-at.ts'
import type { Candidate, Completer } from '../terminal/line-editor/tab-completion.ts'
import { isOffered, lastMention, longestPath, mentionOf } from './mentions.ts'
import { parseChatLine } from './slash-commands/chat-line.ts'
import { KnownCandidates, slashCompleter } from './slash-commands/completer.ts'
import type { ChatState } from './state.ts'
import { completePath, pathScope, unquoted } from './typed-path.ts'
import type { ListFiles } from './working-files.ts'

/** @param signal Stops the reading of the working directory. */
export function chatCompleter(chat: ChatState, signal: AbortSignal): Completer {
  const completeCommand = slashCompleter(chat)
  const knownPaths = new KnownCandidates()
  const candidateOf = (path: string): Candidate | undefined => {
    if (!isOffered(path) || chat.context.secrets.mask(path) !== path) return undefined
    const mention = mentionOf(path)
    chat.offeredFiles.add(unquoted(mention))
    return { text: `${mention}${path.endsWith('/') ? '' : ' '}`, shown: path }
  }
  const findPaths = async (scope: string): Promise<Candidate[]> => {
    const directory = scope.slice(0, scope.lastIndexOf('/') + 1)
    const entries = await completePath(scope, chat)
    return entries.flatMap(({ shown = '' }) => candidateOf(directory + shown) ?? [])
  }
  let listFiles: ListFiles = async () => {
    const { openWorkingFiles } = await import('./working-files.ts')
    listFiles = openWorkingFiles(chat.context.io, candidateOf, signal)
    return listFiles()
  }
  return (text, cursor) => {
    const before = text.slice(0, cursor)
    // A pasted `@` is none.
    const [typed, quoted, plain = ''] = lastMention.exec(before.slice(-longestPath)) ?? []
    const { kind } = parseChatLine(before)
    // Without the names of the prompts, `/review @src` is unknown.
    if (kind === 'command' || (kind === 'unknown' && !typed)) return completeCommand(plainText(text), cursor)
    if (typed === undefined) return undefined
    const start = cursor - typed.length + 1
    const completion = (candidates: readonly Candidate[]) => ({ start, end: cursor, candidates })
    const path = quoted ?? plain
    const [scope = ''] = pathScope.exec(path) ?? []
    const isPath = /^(\.{0,2}|~)\//.test(path)
    if (!isPath) knownPaths.forget()
    const all = isPath ? knownPaths.find(text.slice(0, start) + scope, () => findPaths(scope)) : listFiles()
    return all instanceof Promise ? all.then(completion) : completion(all)
  }
}
