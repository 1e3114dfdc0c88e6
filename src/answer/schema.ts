/** `--schema`: the JSON schema that is sent with the request, and that the answer is checked against. */

import { FailedError, UsageError } from '../errors.ts'
import { sourceOf } from '../fields/document.ts'
import { compileSchema, InvalidSchemaError } from '../fields/json-schema.ts'
import { parseJsonIfValid, type Json, type JsonObject } from '../io/json.ts'

export interface AnswerSchema {
  /** The `response_format` to send. */
  readonly responseFormat: JsonObject
  /** @throws FailedError if the text of an answer is not JSON that matches the schema. */
  check(text: string): void
}

/** @throws UsageError if it is not a JSON schema. */
export async function loadSchema(schema: JsonObject): Promise<AnswerSchema> {
  const validate = await compile(schema)
  const title = typeof schema.title === 'string' ? schema.title.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) : ''
  return {
    responseFormat: { type: 'json_schema', json_schema: { name: title || 'answer', schema } },
    check: (text) => {
      const problem = validate(parseAnswer(text))
      if (problem) throw new FailedError(`the answer does not match the schema: ${problem.text}`)
    },
  }
}

async function compile(schema: JsonObject): ReturnType<typeof compileSchema> {
  try {
    return await compileSchema(schema)
  } catch (error) {
    if (!(error instanceof InvalidSchemaError)) throw error
    throw new UsageError(`${sourceOf(schema) ?? '--schema'}: not a JSON schema: ${error.message}`)
  }
}

function parseAnswer(text: string): Json {
  const json = parseJsonIfValid(text)
  if (json === undefined) throw new FailedError('the answer does not match the schema: it is not JSON')
  return json
}
