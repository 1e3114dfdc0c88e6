/** Which values of `reasoning_effort` a model takes: those of its row in the list, else those of the specification. */

import { effortsOf } from '../api/models.ts'
import { type Hint, StatusError, withAddedHint } from '../errors.ts'
import { flagOf } from '../fields/field.ts'
import { specifiedEfforts } from '../fields/model-facts.ts'
import { suggestion } from '../fields/suggestion.ts'
import { orList, invalidValue } from '../fields/problem.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import type { Catalog } from './catalog.ts'
import { modelName } from './rotation.ts'

interface HasEffort {
  readonly reasoning_effort?: unknown
}

/**
 * Checks the effort of a request if it is that of the flag or of a prompt's file: that of --param is sent as it is.
 * @throws as `checkEffort`.
 */
export async function checkTypedEffort(
  { reasoning_effort: effort, model = null }: JsonObject,
  { flags, head, catalog }: { flags: HasEffort; head?: { fields: HasEffort } | undefined; catalog: Catalog },
): Promise<void> {
  const typed = flags.reasoning_effort ?? head?.fields.reasoning_effort
  if (typeof effort !== 'string' || typed !== effort) return
  const hint: Hint = { code: 'other effort', effort }
  await checkEffort(effort, model, catalog, { where: flagOf('reasoning_effort'), hint })
}

/**
 * A list that lacks the value is asked for again once, as it may be older than the model. Without a list, any value passes.
 * @param where The flag or command, for errors. @param hint Of the error.
 * @throws UsageError naming the values that the model takes.
 */
export async function checkEffort(
  effort: string,
  model: Json,
  catalog: Catalog,
  { where, hint }: { where: string; hint?: Hint },
): Promise<void> {
  const name = modelName(model)
  const stored = catalog.cachedModels()
  const isAccepted = (efforts: readonly string[] = specifiedEfforts): boolean => efforts.includes(effort)
  if (isAccepted(effortsOf(stored, name))) return
  const list = catalog.mayFetch ? await catalog.modelsIfAvailable({ refresh: true }) : stored
  const efforts = effortsOf(list, name)
  if (list.length === 0 || isAccepted(efforts)) return
  const known = (efforts ?? specifiedEfforts).map(sanitizeName)
  const expected = `${orList(known)} for ${sanitizeName(name)}${suggestion(effort, known)}`
  throw invalidValue(where, { path: [], found: quote(effort), expected }, hint)
}

/** @returns the error, with the values that the model takes if the service refuses that of the request. */
export async function withEffortHint(
  error: unknown,
  { model, reasoning_effort: effort }: JsonObject,
  catalog: Catalog,
) {
  const isAboutIt = error instanceof StatusError && error.status === 400 && /effort/i.test(error.message)
  if (!isAboutIt || typeof effort !== 'string') return error
  const name = modelName(model ?? null)
  const efforts = effortsOf(await catalog.modelsIfAvailable(), name)
  return efforts ? withAddedHint(error, `${sanitizeName(name)} takes ${efforts.map(sanitizeName).join(', ')}`) : error
}
