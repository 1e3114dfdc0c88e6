/** Reads the input of count-tokens: single files, or a conversation. */

import type { Countable } from '../api/messages/count.ts'
import { toMessage } from '../api/messages/messages.ts'
import { UsageError } from '../errors.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import type { Io } from '../io/io.ts'
import { rejectFileNames } from './file-name.ts'
import { messagesIn, readParts, turnOf, type PromptSources } from './prompt.ts'
import { withoutFinalNewline } from './text.ts'

/**
 * If only files are given, each is counted on its own, as plain text. Everything else is one conversation, as a messages
 * request would send it.
 * @throws UsageError if there is nothing to count, a source cannot be read, or a word is the name of a file.
 */
export async function readCountables(
  given: Json | undefined,
  sources: Omit<PromptSources, 'hasMessages'>,
  io: Io,
): Promise<Countable[]> {
  rejectFileNames(sources.words, 'count')
  const messages = messagesIn(given)
  const hasMessages = messages.length > 0
  const parts = await readParts({ ...sources, hasMessages }, io)
  if (!hasMessages && !turnOf({ ...parts, files: [] }) && parts.files.length > 0) {
    return parts.files.map(({ path, text }) => ({ file: path, messages: plainMessages(text) }))
  }
  const turn = turnOf(parts)
  if (turn || hasMessages) return [{ messages: [...messages, ...(turn ? [toMessage(turn)] : [])] }]
  if (parts.stdinText !== undefined) return [{ messages: plainMessages(parts.stdinText) }]
  throw new UsageError('no text: give it as arguments, in files or on standard input', {
    hint: 'for example: cat *.md | syn count-tokens',
  })
}

/** A file has the same count whether it is named or piped in. */
function plainMessages(text: string): JsonObject[] {
  const plain = withoutFinalNewline(text)
  return plain === '' ? [] : [toMessage({ role: 'user', text: plain, images: [] })]
}
