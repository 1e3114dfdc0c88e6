/** JSON Schema validation with ajv, for answers and for the sandbox's generated data. ajv is loaded on first use. */

import type { ErrorObject, ValidateFunction } from 'ajv'
import { errorMessage } from '../errors.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { jsonPath, quote } from '../io/json/print.ts'
import { sanitizeName } from '../io/text/safe-text.ts'

export class InvalidSchemaError extends Error {}

/**
 * Returns the first problem of a value, as in `$.age must be >= 18`, or all of them, a line each, at most ten. For some schemas this takes years, as patterns backtrack,
 * and alternatives within alternatives double the work: call it within `io/time/time-limit.ts`.
 * `acceptsAll`: whether the schema has no keyword that a value can fail, as an example in place of a schema.
 */
export type SchemaValidator = ((value: Json) => string | undefined) & { readonly acceptsAll?: boolean }

/**
 * Loads the compiler for a schema's draft (2020-12, or 4 to 7 if `$schema` names one).
 * @returns a function that compiles the schema, and throws InvalidSchemaError if it is invalid.
 */
export async function loadSchemaCompiler(schema: JsonObject, findsAll = false): Promise<() => SchemaValidator> {
  const isDraft7 = typeof schema['$schema'] === 'string' && /draft-0[4-7]/.test(schema['$schema'])
  // Through `default`: a bundled CommonJS module has no other export.
  const Ajv = isDraft7 ? (await import('ajv')).default.Ajv : (await import('ajv/dist/2020.js')).default.Ajv2020
  const { default: formats } = await import('ajv-formats')
  const options = { strict: false, logger: false } as const
  const metaSchema = metaSchemas.get(Ajv) ?? new Ajv(options)
  metaSchemas.set(Ajv, metaSchema)
  // Compiles the meta-schema: if that were ended halfway, the instance would be of no more use.
  metaSchema.validateSchema({})
  return () => {
    // A new instance each time: two schemas may use the same `$id`.
    const ajv = new Ajv({ ...options, validateSchema: false, allErrors: findsAll })
    // Only for schemas that need it: what it adds to a check throws for `if` beside `patternProperties`.
    ajv.opts.unevaluated = JSON.stringify(schema).includes('"unevaluated')
    formats.default(ajv)
    try {
      if (!metaSchema.validateSchema(schema)) throw new Error(problemsIn(metaSchema.errors, 1))
      const validate = ajv.compile(schema)
      const acceptsAll = !Object.keys(schema).some((key) => key !== '$comment' && ajv.getKeyword(key))
      return Object.assign((value: Json) => problemsOf(value, validate, findsAll ? maxProblems : 1), { acceptsAll })
    } catch (error) {
      throw new InvalidSchemaError(errorMessage(error), { cause: error })
    }
  }
}

/** Validators of schemas, by draft. Compiling a meta-schema takes 30 ms, more than everything else. */
const metaSchemas = new Map<unknown, { validateSchema(schema: JsonObject): unknown; errors?: ErrorObject[] | null }>()

const maxProblems = 10

function problemsOf(value: Json, validate: ValidateFunction, most: number): string | undefined {
  try {
    return validate(value) ? undefined : problemsIn(validate.errors, most)
  } catch (error) {
    // ajv follows a circular reference, such as {"$ref":"#"}, until the stack overflows.
    return `$ cannot be checked: ${errorMessage(error)}`
  }
}

function problemsIn(errors: readonly ErrorObject[] | null | undefined, most: number): string | undefined {
  const texts = (errors ?? []).slice(0, most).map(({ instancePath, message, params }) => {
    const { allowedValues, additionalProperty } = params as Record<string, unknown>
    const detail = allowedValues ?? additionalProperty
    return sanitizeName(
      `${jsonPath(pointerPath(instancePath))} ${message}${detail === undefined ? '' : `: ${quote(detail)}`}`,
    )
  })
  return texts.join('\n') || undefined
}

/** Splits a JSON pointer into keys and indexes. Digits count as an index: a pointer does not distinguish them from keys. */
export function pointerPath(pointer: string): (string | number)[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')))
}
