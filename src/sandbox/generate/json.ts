/** Answers that are one JSON value. */

import { isObject, type JsonObject } from '../../io/json.ts'
import { lastRequest, type Prompt } from '../prompt.ts'
import { Refusal } from '../refusal.ts'
import { readSource } from '../schema/source.ts'
import { valueFor } from '../schema/value.ts'
import { beginning, wordsOf } from '../writers/phrases.ts'

/**
 * @param index Number of the choice.
 * @throws Refusal for a schema that no value was found for.
 */
export function writeJson(prompt: Prompt, schema: JsonObject, index: number): string {
  const request = lastRequest(prompt.turns)
  const isAnyObject = schema['type'] === 'object' && Object.keys(schema).length === 1
  if (isAnyObject) return JSON.stringify(anyObject(request, index), null, 2)
  const source = readSource(request)
  const value = valueFor(schema, index === 0 ? source : { ...source, request: `${request} (choice ${index + 1})` })
  if (value === undefined) {
    throw new Refusal(400, '$.response_format.json_schema.schema: no value was found that fits it')
  }
  return JSON.stringify(value, null, isObject(value) ? 2 : 0)
}

function anyObject(request: string, index: number): JsonObject {
  return {
    standIn: true,
    note: 'Answered by the syn sandbox: no model was asked.',
    prompt: beginning(request, 200),
    words: wordsOf(request).length,
    choice: index + 1,
  }
}
