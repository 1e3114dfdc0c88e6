/** What count-tokens counts: files one by one, or a conversation. */

import { existsSync, statSync } from 'node:fs'
import type { Countable } from '../api/messages/count.ts'
import { toMessage } from '../api/messages/messages.ts'
import { UsageError } from '../errors.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Io } from '../io/io.ts'
import { messagesIn, readParts, turnOf, type PromptSources } from './prompt.ts'
import { withoutFinalNewline } from './text.ts'

/**
 * Files alone are counted one by one, as plain text. Everything else is one conversation, as a messages request would
 * send it.
 * @param before From `--messages`, `--param` or `--body`.
 * @throws UsageError when there is nothing to count, a source can't be read, or a word is the name of a file.
 */
export async function readCountables(
  before: Json | undefined,
  sources: Omit<PromptSources, 'hasMessages'>,
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

/** A file has the same count here and when it is piped in. */
function plainMessages(text: string): JsonObject[] {
  const plain = withoutFinalNewline(text)
  return plain === '' ? [] : [toMessage({ role: 'user', text: plain, images: [] })]
}

/** `wc` takes files as arguments; here the name itself would be counted. */
function mustBeNoFile(word: string): void {
  if (!existsSync(word) || !statSync(word).isFile()) return
  throw new UsageError(`${word} is a file`, {
    hint: `to count what it holds: -f ${/\s/.test(word) ? JSON.stringify(word) : word}, or pipe it in`,
  })
}
