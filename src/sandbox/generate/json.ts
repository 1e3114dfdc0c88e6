/** Answers that are one JSON value. */

import { isObject, type JsonObject } from '../../io/json.ts'
import { lastRequest, type Prompt } from '../prompt.ts'
import { beginning, wordsOf } from '../writers/phrases.ts'
import { sampleJson } from './sample.ts'

/**
 * @param index Number of the choice.
 * @throws Refusal for a schema that no value was found for.
 */
export async function writeJson(prompt: Prompt, schema: JsonObject, index: number): Promise<string> {
  const request = lastRequest(prompt.turns)
  const isAnyObject = schema['type'] === 'object' && Object.keys(schema).length === 1
  if (isAnyObject) return JSON.stringify(anyObject(request, index), null, 2)
  const words = index === 0 ? request : `${request} (choice ${index + 1})`
  const value = await sampleJson(schema, words, '$.response_format.json_schema.schema')
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
