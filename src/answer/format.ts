/** The format that --schema and --json-object ask for. */

import { UsageError } from '../errors.ts'
import { cannotBeCombined } from '../fields/problem.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { AnswerSchema } from './schema.ts'

interface FormatOptions {
  readonly api?: string
  readonly schema?: JsonObject
  readonly jsonObject?: boolean
}

export interface AnswerFormat {
  readonly schema: AnswerSchema | undefined
  /** What the request needs for it. */
  readonly fields: { readonly response_format?: JsonObject }
}

/**
 * @param fields Those of the request.
 * @throws UsageError if the body has another format, the API has none, or the schema is not one.
 */
export async function readAnswerFormat(options: FormatOptions, fields: JsonObject): Promise<AnswerFormat> {
  const schema = options.schema && (await (await import('./schema.ts')).loadSchema(options.schema))
  const option = schema ? '--schema' : '--json-object'
  const format = schema?.responseFormat ?? (options.jsonObject ? { type: 'json_object' } : undefined)
  if (!format) return { schema, fields: {} }
  if (options.api === 'messages') {
    throw new UsageError(`${option} needs --api chat: the messages API has no response_format`)
  }
  if (fields.response_format !== undefined) throw cannotBeCombined([option, 'response_format in --body or --param'])
  return { schema, fields: { response_format: format } }
}
