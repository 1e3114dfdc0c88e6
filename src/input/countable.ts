/** What is to be counted: files each on their own, or a conversation. */

import { existsSync, statSync } from 'node:fs'
import type { Countable } from '../api/messages/count.ts'
import { toMessage } from '../api/messages/messages.ts'
import { UsageError } from '../errors.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Io } from '../io/io.ts'
import { messagesIn, type ConversationSources } from './conversation.ts'
import { withoutLineEnd } from './piped.ts'
import { readParts, turnOf } from './prompt.ts'

/**
 * Files alone are counted each on its own, as plain text. Otherwise it is one conversation, which is what a messages
 * request would send.
 * @param before The messages that there are.
 * @throws UsageError when there is nothing to count, a source can't be read, or a word is the name of a file.
 */
export async function readCountables(
  before: Json | undefined,
  sources: ConversationSources,
  io: Io,
): Promise<Countable[]> {
  for (const word of sources.words) mustBeNoFile(word)
  const messages = messagesIn(before)
  const hasMessages = messages.length > 0
  const parts = await readParts({ ...sources, hasMessages }, io)
  if (!hasMessages && !turnOf({ ...parts, files: [] }) && parts.files.length > 0) {
    return parts.files.map(({ path, text }) => ({ file: path, messages: plainMessages(text) }))
  }
  const turn = turnOf(parts)
  if (turn || hasMessages) return [{ messages: [...messages, ...(turn ? [toMessage(turn)] : [])] }]
  if (parts.piped !== undefined) return [{ messages: plainMessages(parts.piped) }]
  throw new UsageError('no text: give it as arguments, in files or on standard input', {
    hint: 'for example: cat *.md | syn count-tokens',
  })
}

/** Counted as standard input would be, so that a file has the same number either way. */
function plainMessages(text: string): JsonObject[] {
  const plain = withoutLineEnd(text)
  return plain === '' ? [] : [toMessage({ role: 'user', text: plain, images: [] })]
}

/** Whoever comes from `wc` names files; what would be counted is the name. */
function mustBeNoFile(word: string): void {
  if (!existsSync(word) || !statSync(word).isFile()) return
  throw new UsageError(`${word} is a file`, {
    hint: `to count what it holds: -f ${/\s/.test(word) ? JSON.stringify(word) : word}, or pipe it in`,
  })
}
