/** What can be completed at the cursor: slash commands with their arguments, and in a message the files after `@`. */

import type { Completer, TabCandidate, TabCompletion } from '../terminal/line-editor/tab-completion.ts'
import { isOffered, lastMention, longestPath, mentionOf } from './mentions.ts'
import { parseChatLine } from './slash-commands/chat-line.ts'
import { slashCompleter } from './slash-commands/completer.ts'
import type { ChatState } from './state.ts'
import { completePath, unquoted } from './typed-path.ts'
import type { ListFiles } from './working-files.ts'

/** @param signal Stops the reading of the working directory. */
export function chatCompleter(chat: ChatState, signal: AbortSignal): Completer {
  const completeCommand = slashCompleter(chat)
  const candidateOf = (path: string): TabCandidate | undefined => {
    if (!isOffered(path) || chat.context.secrets.mask(path) !== path) return undefined
    const mention = mentionOf(path)
    chat.offeredFiles.add(unquoted(mention))
    return { text: `@${mention}${path.endsWith('/') ? '' : ' '}`, shown: path }
  }
  let listFiles: ListFiles = async () => {
    const { openWorkingFiles } = await import('./working-files.ts')
    listFiles = openWorkingFiles(chat.context.io, candidateOf, signal)
    return listFiles()
  }
  return (text, cursor) => {
    const before = text.slice(0, cursor)
    if (parseChatLine(before).kind !== 'message') return completeCommand(text, cursor)
    const [typed, quoted, plain = ''] = lastMention.exec(before.slice(-longestPath)) ?? []
    if (typed === undefined) return undefined
    const path = quoted ?? plain
    const completion = (all: readonly TabCandidate[]): TabCompletion => {
      const candidates = all.filter(({ shown = '' }) => shown.startsWith(path))
      return { start: cursor - typed.length, end: cursor, candidates }
    }
    const isPath = /^(\.{0,2}|~)\//.test(path)
    const all = isPath
      ? completePath(path, chat).then((paths) => paths.flatMap((one) => candidateOf(one) ?? []))
      : listFiles()
    return all instanceof Promise ? all.then(completion) : completion(all)
  }
}
