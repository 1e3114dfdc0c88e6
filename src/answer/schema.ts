/** `--schema`: the JSON schema that is sent with the request, and that the answer is checked against. */

import { FailedError, UsageError } from '../errors.ts'
import { sourceOf } from '../fields/document.ts'
import { InvalidSchemaError, loadSchemaCompiler, type SchemaValidator } from '../fields/json-schema.ts'
import type { JsonObject } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import { jsonIn } from './json-in.ts'
import { SchemaMismatchError } from './outcome.ts'
import type { Notices } from '../notices.ts'
import { TimeLimitError, withinTimeLimit } from '../io/time/time-limit.ts'

export interface AnswerSchema {
  /** The `response_format` to send. */
  readonly responseFormat: JsonObject
  /**
   * @returns the JSON in the text of an answer.
   * @throws SchemaMismatchError if there is none that matches; FailedError if it takes too long to check; the signal's reason if it
   *   aborts meanwhile.
   */
  check(text: string, signal?: AbortSignal): Promise<string>
}

/**
 * Prints a notice for one that any JSON matches.
 * @param findsAll Whether an error has all problems of an answer, not the first alone.
 * @throws UsageError if it is not a JSON schema.
 */
export async function loadSchema(
  schema: JsonObject,
  notices: Pick<Notices, 'info'>,
  findsAll = false,
): Promise<AnswerSchema> {
  const where = sourceOf(schema) ?? '--schema'
  const validate = await compile(schema, where, findsAll)
  if (validate.acceptsAll) await notices.info(`${where} constrains nothing: any JSON matches`)
  const title = typeof schema.title === 'string' ? schema.title.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) : ''
  return {
    responseFormat: { type: 'json_schema', json_schema: { name: title || 'answer', schema } },
    check: async (text, signal) => {
      const json = jsonIn(text)
      if (json === undefined) throw new SchemaMismatchError('it is not JSON')
      const value = parseJsonIfValid(json, null)
      const problems = await withinTimeLimit(() => validate(value), signal).catch(failSlow)
      if (problems) throw new SchemaMismatchError(problems)
      return json
    },
  }
}

function failSlow(error: unknown): never {
  if (!(error instanceof TimeLimitError)) throw error
  throw new FailedError(`the answer cannot be checked against the schema: ${error.message}`, {
    hint: 'simplify the schema: a pattern such as ^(a+)+$, or alternatives within alternatives, may take years',
  })
}

async function compile(schema: JsonObject, where: string, findsAll: boolean): Promise<SchemaValidator> {
  const compileSchema = await loadSchemaCompiler(schema, findsAll)
  try {
    return compileSchema()
  } catch (error) {
    if (!(error instanceof InvalidSchemaError)) throw error
    throw new UsageError(`${where}: not a JSON schema: ${error.message}`)
  }
}
