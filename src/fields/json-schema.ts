/** JSON Schema, by ajv: the check of an answer and that of what the sandbox makes up. ajv is loaded at the first use. */

import type { ErrorObject } from 'ajv'
import { errorMessage } from '../errors.ts'
import { jsonPath, quote, type Json, type JsonObject } from '../io/json.ts'
import { sanitizeName } from '../io/sanitize.ts'

/** Why a value does not fit a schema. */
export interface SchemaProblem {
  /** The keyword of the first error, such as `pattern`. */
  readonly keyword: string
  /** The place of the first error and what is wrong there: `$.age must be >= 18`. */
  readonly text: string
  /** JSON pointer to the wrong value; where none of several alternatives fits, to the value that has them. */
  readonly pointer: string
}

export class InvalidSchemaError extends Error {}

/**
 * @returns a function that finds the first problem of a value.
 * @throws InvalidSchemaError for what is no schema of its draft (2020-12, or 4 to 7 where `$schema` names one).
 */
export async function compileSchema(schema: JsonObject): Promise<(value: Json) => SchemaProblem | undefined> {
  const isDraft7 = typeof schema['$schema'] === 'string' && /draft-0[4-7]/.test(schema['$schema'])
  // Through `default`, which is all that a bundled CommonJS module has.
  const Ajv = isDraft7 ? (await import('ajv')).default.Ajv : (await import('ajv/dist/2020.js')).default.Ajv2020
  const { default: formats } = await import('ajv-formats')
  const options = { strict: false, logger: false } as const
  const draft = drafts.get(Ajv) ?? new Ajv(options)
  drafts.set(Ajv, draft)
  // A fresh one, since two schemas may use the same `$id`.
  const ajv = new Ajv({ ...options, validateSchema: false })
  formats.default(ajv)
  try {
    if (!draft.validateSchema(schema)) throw new Error(firstProblem(draft.errors)?.text)
    const validate = ajv.compile(schema)
    return (value) => (validate(value) ? undefined : firstProblem(validate.errors))
  } catch (error) {
    throw new InvalidSchemaError(errorMessage(error), { cause: error })
  }
}

/** What checks schemas themselves: to compile a draft's own schema takes 30 ms, more than all the rest. */
const drafts = new Map<unknown, { validateSchema(schema: JsonObject): unknown; errors?: ErrorObject[] | null }>()

function firstProblem(errors: readonly ErrorObject[] | null | undefined): SchemaProblem | undefined {
  const [first] = errors ?? []
  // The errors of all alternatives come before the error that none fits.
  const last = errors?.at(-1)
  if (!first || !last) return undefined
  const { allowedValues, additionalProperty } = first.params as Record<string, unknown>
  const detail = allowedValues ?? additionalProperty
  const text = `${jsonPath(pointerPath(first.instancePath))} ${first.message}${detail === undefined ? '' : `: ${quote(detail)}`}`
  return { keyword: first.keyword, text: sanitizeName(text), pointer: faultyPointer(last) }
}

function faultyPointer({ instancePath, params }: ErrorObject): string {
  const { additionalProperty: name, i: repeatedItem } = params as Record<string, unknown>
  if (typeof name === 'string') return childPointer(instancePath, name)
  return typeof repeatedItem === 'number' ? childPointer(instancePath, repeatedItem) : instancePath
}

/** A JSON pointer (RFC 6901) one step on. */
export function childPointer(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The keys and indexes of a JSON pointer. It does not say which is which: digits count as an index. */
export function pointerPath(pointer: string): (string | number)[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')))
}
