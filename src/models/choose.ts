import type { ModelledOperation } from '../api/operation.ts'
import type { Json, JsonObject } from '../fields/json.ts'
import { modelNotice } from '../fields/model.ts'
import type { Notices } from '../notices.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * The model to ask: the request's own, else the one of environment or profile, else the operation's alias for such a
 * request. Says so when the name is not known.
 * @param body The request so far.
 * @returns what is sent: no text, where `--param` put something else there.
 */
export async function chooseModel(
  operation: ModelledOperation,
  body: JsonObject,
  { settings, notices }: { settings: Settings; notices: Notices },
): Promise<Json> {
  const model = body.model ?? settings.get('model')?.value ?? operation.alias(body)
  const notice = typeof model === 'string' ? modelNotice(model) : undefined
  if (notice) await notices.say(notice)
  return model
}
