import type { Turn } from '../api/turn.ts'
import { invalidValue } from '../fields/problem.ts'
import { quote, type Json, type JsonObject } from '../io/json.ts'
import type { Io } from '../io/io.ts'
import { readTurn, type PromptSources } from './prompt.ts'

/** Where a conversation comes from, besides the messages that there are. */
export type ConversationSources = Omit<PromptSources, 'hasMessages'>

/**
 * The messages that there are, and after them what the user says now.
 * @param before From `--messages`, `--param` or `--body`.
 * @param sources `hasMessages` when there are others besides.
 * @throws UsageError when there is nothing to send, or a source can't be read.
 */
export async function readConversation(
  before: Json | undefined,
  sources: ConversationSources & { readonly example: string; readonly hasMessages?: boolean },
  toMessage: (turn: Turn) => JsonObject,
  io: Io,
): Promise<Json[]> {
  const messages = messagesIn(before)
  const turn = await readTurn({ ...sources, hasMessages: sources.hasMessages || messages.length > 0 }, io)
  return turn ? [...messages, toMessage(turn)] : messages
}

/** @throws UsageError for what `--param` put there unchecked. */
export function messagesIn(given: Json | undefined): Json[] {
  if (given === undefined) return []
  if (Array.isArray(given)) return given
  throw invalidValue('--param messages', { path: [], found: quote(given), expected: 'an array' })
}
