/** `--schema`: the JSON schema that is sent with the request, and that the answer is checked against. */

import { FailedError, UsageError } from '../errors.ts'
import { sourceOf } from '../fields/document.ts'
import { InvalidSchemaError, loadSchemaCompiler, type SchemaValidator } from '../fields/json-schema.ts'
import { parseJsonIfValid, type JsonObject } from '../io/json/json.ts'
import { TimeLimitError, withinTimeLimit } from '../io/time/time-limit.ts'

export interface AnswerSchema {
  /** The `response_format` to send. */
  readonly responseFormat: JsonObject
  /**
   * @throws FailedError if the text of an answer is not JSON that matches the schema, or takes too long to check; the signal's
   *   reason if it aborts meanwhile.
   */
  check(text: string, signal?: AbortSignal): Promise<void>
}

/** @throws UsageError if it is not a JSON schema. */
export async function loadSchema(schema: JsonObject): Promise<AnswerSchema> {
  const validate = await compile(schema)
  const title = typeof schema.title === 'string' ? schema.title.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) : ''
  return {
    responseFormat: { type: 'json_schema', json_schema: { name: title || 'answer', schema } },
    check: async (text, signal) => {
      const answer = parseJsonIfValid(text)
      if (answer === undefined) throw new FailedError('the answer does not match the schema: it is not JSON')
      const problem = await withinTimeLimit(() => validate(answer), signal).catch(failSlow)
      if (problem) throw new FailedError(`the answer does not match the schema: ${problem}`)
    },
  }
}

function failSlow(error: unknown): never {
  if (!(error instanceof TimeLimitError)) throw error
  throw new FailedError(`the answer cannot be checked against the schema: ${error.message}`, {
    hint: 'simplify the schema: a pattern such as ^(a+)+$, or alternatives within alternatives, may take years',
  })
}

async function compile(schema: JsonObject): Promise<SchemaValidator> {
  const compileSchema = await loadSchemaCompiler(schema)
  try {
    return compileSchema()
  } catch (error) {
    if (!(error instanceof InvalidSchemaError)) throw error
    throw new UsageError(`${sourceOf(schema) ?? '--schema'}: not a JSON schema: ${error.message}`)
  }
}
