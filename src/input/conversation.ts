import type { Turn } from '../api/turn.ts'
import { refusal } from '../fields/problem.ts'
import { quote, type Json, type JsonObject } from '../fields/json.ts'
import type { Io } from '../io/io.ts'
import { readTurn, type PromptSources } from './prompt.ts'

/**
 * The messages that there are, and after them what the user says now.
 * @param before From `--messages`, `--param` or `--body`.
 * @throws UsageError when there is nothing to send, or a source can't be read.
 */
export async function readConversation(
  before: Json | undefined,
  sources: Omit<PromptSources, 'hasMessages'>,
  toMessage: (turn: Turn) => JsonObject,
  io: Io,
): Promise<Json[]> {
  if (before !== undefined && !Array.isArray(before)) {
    throw refusal('--param messages', { path: [], found: quote(before), expected: 'an array' })
  }
  const messages = before ?? []
  const turn = await readTurn({ ...sources, hasMessages: messages.length > 0 }, io)
  return turn ? [...messages, toMessage(turn)] : messages
}
