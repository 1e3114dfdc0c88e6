/** Chooses the model that answers. */

import type { ModelOperation } from '../api/operations.ts'
import { modelAliases } from '../fields/kinds.ts'
import { suggestion } from '../fields/nearest.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Notices } from '../notices.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * Returns the request's model, or else that of the environment, the conversation or the profile, or the operation's
 * alias for the request. Prints a notice for an unknown alias.
 * @param body The request without its model.
 * @param lastModel The conversation's last model. The default alias is chosen anew: the next message may have the first
 *   image.
 * @returns a string, unless `--param` sets something else.
 */
export async function chooseModel(
  operation: ModelOperation,
  body: JsonObject,
  { settings, notices }: { settings: Settings; notices: Pick<Notices, 'info'> },
  lastModel?: string,
): Promise<Json> {
  const setting = settings.get('model')
  const fromEnvironment = setting?.source.startsWith('environment') ? setting.value : undefined
  const fromConversation = lastModel === operation.alias({}) ? operation.alias(body) : lastModel
  const model = body.model ?? fromEnvironment ?? fromConversation ?? setting?.value ?? operation.alias(body)
  const notice = typeof model === 'string' ? unknownAliasNotice(model) : undefined
  if (notice) await notices.info(notice)
  return model
}

/** @returns `undefined` unless the name is an unknown alias, which is sent anyway. */
function unknownAliasNotice(name: string): string | undefined {
  if (!name.startsWith('syn:') || (modelAliases as readonly string[]).includes(name)) return undefined
  return `unknown alias ${JSON.stringify(name)}${suggestion(name, modelAliases)}; sending it anyway`
}
