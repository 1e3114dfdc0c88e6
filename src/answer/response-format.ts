/** The format that --schema and --json-object ask for. */

import { UsageError } from '../errors.ts'
import { cannotBeCombined } from '../fields/problem.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Notices } from '../notices.ts'

interface FormatOptions {
  readonly api?: string
  readonly schema?: JsonObject
  readonly jsonObject?: boolean
  readonly repair?: number
}

/**
 * @param fields Those of the request.
 * @returns as `fields` what the request needs for it.
 * @throws UsageError if the body has another format, the API has none, or the schema is not one.
 */
export async function readResponseFormat(options: FormatOptions, fields: JsonObject, notices: Notices) {
  if (options.repair !== undefined && !options.schema) throw new UsageError('--repair needs --schema')
  if (!options.schema && !options.jsonObject) return { schema: undefined, fields: {} }
  const option = options.schema ? '--schema' : '--json-object'
  if (options.api === 'messages') {
    throw new UsageError(`${option} needs --api chat: the messages API has no response_format`)
  }
  if (fields.response_format !== undefined) throw cannotBeCombined([option, 'response_format in --body or --param'])
  const schema =
    options.schema && (await (await import('./schema.ts')).loadSchema(options.schema, notices, Boolean(options.repair)))
  return { schema, fields: { response_format: schema?.responseFormat ?? { type: 'json_object' } } }
}
