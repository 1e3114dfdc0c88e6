/** JSON Schema, by ajv: the check of an answer and that of what the sandbox makes up. ajv is loaded at the first use. */

import type { ErrorObject } from 'ajv'
import { jsonPath, quote, type Json, type JsonObject } from '../io/json.ts'
import { harmlessName } from '../io/harmless.ts'

/** Why a value does not fit a schema. */
export interface SchemaProblem {
  /** The keyword of the first error, such as `pattern`. */
  readonly keyword: string
  /** The place of the first error and what is wrong there: `$.age must be >= 18`. */
  readonly text: string
  /** JSON pointer to the value that fits no alternative where alternatives are given, else to the wrong value. */
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
  const ajv = new Ajv({ strict: false, logger: false })
  formats.default(ajv)
  try {
    const validate = ajv.compile(schema)
    return (value) => (validate(value) ? undefined : firstProblem(validate.errors))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new InvalidSchemaError(firstProblem(ajv.errors)?.text ?? reason, { cause: error })
  }
}

/** RFC 6901, section 3. */
export function pointerStep(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function firstProblem(errors: readonly ErrorObject[] | null | undefined): SchemaProblem | undefined {
  const [first] = errors ?? []
  // The errors of all alternatives come before the error that none fits.
  const last = errors?.at(-1)
  if (!first || !last) return undefined
  const { allowedValues, additionalProperty } = first.params as Record<string, unknown>
  const detail = allowedValues ?? additionalProperty
  const text = `${jsonPath(pathOf(first.instancePath))} ${first.message}${detail === undefined ? '' : `: ${quote(detail)}`}`
  return { keyword: first.keyword, text: harmlessName(text), pointer: faultyPointer(last) }
}

function faultyPointer({ instancePath, params }: ErrorObject): string {
  const { additionalProperty } = params as Record<string, unknown>
  return typeof additionalProperty === 'string' ? `${instancePath}/${pointerStep(additionalProperty)}` : instancePath
}

function pathOf(pointer: string): (string | number)[] {
  const steps = pointer.split('/').slice(1)
  // Array positions are kept apart from keys by their look alone: the pointer doesn't tell.
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : unescapeStep(step)))
}

/** RFC 6901, section 4. */
export function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
