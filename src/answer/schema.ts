/** `--schema`: the JSON schema that is sent with the request, and that the answer is checked against. */

import { FailedError, UsageError } from '../errors.ts'
import { sourceOf } from '../fields/document.ts'
import { InvalidSchemaError, loadSchemaCompiler, type SchemaValidator } from '../fields/json-schema.ts'
import type { JsonObject } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import type { Notices } from '../notices.ts'
import { TimeLimitError, withinTimeLimit } from '../io/time/time-limit.ts'

export interface AnswerSchema {
  /** The `response_format` to send. */
  readonly responseFormat: JsonObject
  /**
   * @returns the JSON in the text of an answer.
   * @throws FailedError if there is none that matches the schema, or it takes too long to check; the signal's reason if it
   *   aborts meanwhile.
   */
  check(text: string, signal?: AbortSignal): Promise<string>
}

/** Prints a notice for one that any JSON matches. @throws UsageError if it is not a JSON schema. */
export async function loadSchema(schema: JsonObject, notices: Pick<Notices, 'info'>): Promise<AnswerSchema> {
  const where = sourceOf(schema) ?? '--schema'
  const validate = await compile(schema, where)
  if (validate.acceptsAll) await notices.info(`${where} constrains nothing: any JSON matches`)
  const title = typeof schema.title === 'string' ? schema.title.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) : ''
  return {
    responseFormat: { type: 'json_schema', json_schema: { name: title || 'answer', schema } },
    check: async (text, signal) => {
      const json = jsonIn(text)
      if (json === undefined) throw new FailedError('the answer does not match the schema: it is not JSON')
      const value = parseJsonIfValid(json, null)
      const problem = await withinTimeLimit(() => validate(value), signal).catch(failSlow)
      if (problem) throw new FailedError(`the answer does not match the schema: ${problem}`)
      return json
    },
  }
}

const fence = /^ {0,3}(?:`{3,}|~{3,}).*$/m

/** The JSON that a text is, or that is in its only fenced code block; `undefined` if there is none. */
export function jsonIn(text: string): string | undefined {
  // JSON has no line ends in its strings, and so no line that looks like a fence.
  const [, fenced, ...after] = text.split(fence)
  const parts = fenced === undefined || after.length > 1 ? [text] : [text, fenced]
  return parts.find((part) => parseJsonIfValid(part) !== undefined)?.trim()
}

function failSlow(error: unknown): never {
  if (!(error instanceof TimeLimitError)) throw error
  throw new FailedError(`the answer cannot be checked against the schema: ${error.message}`, {
    hint: 'simplify the schema: a pattern such as ^(a+)+$, or alternatives within alternatives, may take years',
  })
}

async function compile(schema: JsonObject, where: string): Promise<SchemaValidator> {
  const compileSchema = await loadSchemaCompiler(schema)
  try {
    return compileSchema()
  } catch (error) {
    if (!(error instanceof InvalidSchemaError)) throw error
    throw new UsageError(`${where}: not a JSON schema: ${error.message}`)
  }
}
