/** The parts of files that `--from` and `/from` send with a message. */

import type { Dialect } from '../api/dialects.ts'
import { contextLengthOf } from '../api/models.ts'
import { writtenTurnsIn } from '../conversation/conversation.ts'
import { chatMessageText, messageRole } from '../conversation/message.ts'
import type { NewTurn, Session } from '../conversation/session.ts'
import type { SearchContext } from '../embeddings/nearest.ts'
import type { Json } from '../io/json/json.ts'
import { chooseModel } from '../models/choose.ts'
import { modelName } from '../models/rotation.ts'

/** In UTF-16 units, of each message that is searched for: what follows is rather a text that was piped in. */
const maxSearched = 1500

interface Asking {
  /** Files, folders and patterns. */
  readonly from: readonly string[]
  /** Whether the answer is to name places: in one that a program reads, they would be in its way. */
  readonly wantsPlaces: boolean
  readonly dialect: Dialect
  readonly session: Session
  /** Without one, that of the conversation or of the settings answers. */
  readonly model?: Json | undefined
}

/**
 * Adds the parts of files to a turn that are nearest to its message and the one before.
 * @throws as `chooseSources`.
 */
export async function withSources(
  turn: NewTurn,
  { from, wantsPlaces, dialect, session, model }: Asking,
  context: SearchContext,
): Promise<NewTurn> {
  if (from.length === 0) return turn
  const { chooseSources } = await import('../embeddings/sources.ts')
  const { unanswered, lastModel } = session.conversation
  const replaced = turn.instead ?? unanswered
  const written = writtenTurnsIn(session.path)
  const before = (replaced ? written.slice(0, written.indexOf(replaced)) : written).at(-1)
  const { messages } = turn.messages.length > 0 ? turn : (replaced ?? turn)
  const texts = [before?.messages ?? [], messages].map((some) => {
    const asked = some.findLast((message) => messageRole(message) === 'user') ?? null
    return chatMessageText(asked).slice(0, maxSearched)
  })
  const body = { ...(model !== undefined && { model }), ...dialect.toFields(messages) }
  const silent = { ...context, notices: { info: () => Promise.resolve() } }
  const name = modelName(await chooseModel(dialect.operation, body, silent, lastModel))
  const question = {
    text: texts.join('\n\n').trim(),
    before: before?.sources ?? [],
    contextLength: contextLengthOf(context.catalog.cachedModels(), name),
  }
  return { ...turn, sources: await chooseSources(from, question, context), wantsPlaces }
}
