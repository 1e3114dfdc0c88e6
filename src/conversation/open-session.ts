/** Which conversation a run takes part in, and whether what is said is kept. */

import { UsageError } from '../errors.ts'
import { suggestion } from '../fields/nearest.ts'
import { checkName, isLikeId, nameOf } from './id.ts'
import type { Place } from './place.ts'
import { Session } from './session.ts'
import type { Stored } from './folder.ts'
import { Store } from './store.ts'

export interface SessionOptions {
  readonly continue?: boolean
  readonly session?: string
  readonly save?: boolean
}

/**
 * @param isKeptUnasked Whether a conversation is kept that nobody asks to keep.
 * @throws UsageError when the conversation that is meant is not there.
 */
export async function openSession(options: SessionOptions, place: Place, isKeptUnasked: boolean): Promise<Session> {
  const { continue: isLatest, session: text } = options
  const store = new Store(place)
  const isAsked = Boolean(isLatest) || text !== undefined
  const isKept = options.save ?? (isAsked || isKeptUnasked)
  const { stored, name } = text === undefined ? { stored: undefined } : await named(store, text, place)
  const latest = isLatest ? await latestOf(store) : undefined
  return new Session(store, isKept, place, stored ?? latest, name)
}

async function latestOf(store: Store): Promise<Stored> {
  const stored = await store.latest()
  if (stored) return stored
  throw new UsageError('there is no conversation to go on with', {
    hint: 'conversations on a terminal are kept, and others with --save',
  })
}

/** The conversation of this name, or the name of a new one. */
async function named(
  store: Store,
  text: string,
  { say }: Place,
): Promise<{ stored?: Stored | undefined; name?: string }> {
  if (isLikeId(nameOf(text))) return { stored: await store.find(text) }
  const name = checkName(text, '--session')
  const { stored, names } = await store.lookUp(name)
  if (stored) return { stored }
  await say(`there is no conversation ${JSON.stringify(name)} yet${suggestion(name, names)}: it begins now`)
  return { name }
}
