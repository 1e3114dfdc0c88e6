/** Whether a body fits its table, told in the service's words. */

import { checkBody, missingField } from '../fields/parse.ts'
import type { Problem } from '../fields/problem.ts'
import type { Fields, Values } from '../fields/field.ts'
import { isObject, jsonPath, type JsonObject } from '../io/json.ts'
import { isModelName } from '../fields/kinds.ts'
import { Refusal } from './refusal.ts'

/**
 * @param optional Required rows that this operation does without.
 * @returns the body, without keys that are null: clients send null for what is not set.
 * @throws Refusal naming the field.
 */
export async function checkRequest<F extends Fields>(
  fields: F,
  body: unknown,
  optional: readonly string[] = [],
): Promise<Values<F> & JsonObject> {
  if (!isObject(body)) throw new Refusal(400, 'The body should be a JSON object.')
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  const { model } = given
  if (typeof model === 'string' && !isModelName(model)) {
    const advice = `got ${JSON.stringify(model)}`
    throw new Refusal(400, `Your model name should start with an hf: prefix; ${advice}`)
  }
  const rows = Object.entries(fields).filter(([name]) => !optional.includes(name))
  const missing = missingField(Object.fromEntries(rows), given)
  if (missing !== undefined) throw new Refusal(400, `$.${missing} is missing; it is required`)
  const problem = await checkBody(fields, given)
  if (problem) throw new Refusal(400, describe(problem))
  return given as Values<F> & JsonObject
}

function describe({ path, found, expected }: Problem): string {
  if (found === 'missing') return `${jsonPath(path)} is missing; ${expected}`
  return `${jsonPath(path)}: ${found} is not accepted; expected ${expected}`
}
