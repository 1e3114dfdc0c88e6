/** Which model answers. */

import type { ModelOperation } from '../api/operations.ts'
import { modelAliases } from '../fields/kinds.ts'
import { suggestion } from '../fields/nearest.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Notices } from '../notices.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * The model to ask: the request's own, else the one of the environment, of the conversation, of the profile, or else the
 * operation's alias for such a request. Says so when the name is not known.
 * @param body The request so far.
 * @param lastModel The model that answered last in the conversation. The default alias does not bind: what comes
 *   may hold the first picture.
 * @returns what is sent: no text, where `--param` put something else there.
 */
export async function chooseModel(
  operation: ModelOperation,
  body: JsonObject,
  { settings, notices }: { settings: Settings; notices: Pick<Notices, 'info'> },
  lastModel?: string,
): Promise<Json> {
  const set = settings.get('model')
  const ofThisRun = set?.source.startsWith('environment') ? set.value : undefined
  const carried = lastModel === operation.alias({}) ? operation.alias(body) : lastModel
  const model = body.model ?? ofThisRun ?? carried ?? set?.value ?? operation.alias(body)
  const notice = typeof model === 'string' ? modelNotice(model) : undefined
  if (notice) await notices.info(notice)
  return model
}

/** What to say of a model name that is acceptable but unknown; nothing for the others. */
function modelNotice(name: string): string | undefined {
  if (!name.startsWith('syn:') || (modelAliases as readonly string[]).includes(name)) return undefined
  return `${name} is not an alias known here${suggestion(name, modelAliases)}; sending it as it is`
}
