/** A JSON schema that an answer is asked to fit, and checked against. */

import { existsSync } from 'node:fs'
import type { ErrorObject } from 'ajv'
import { FailedError, UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import { readArgument, readObject } from '../fields/document.ts'
import { isObject, jsonPath, quote, type Json, type JsonObject } from '../io/json.ts'
import { harmlessName } from '../io/harmless.ts'
import type { Io } from '../io/io.ts'

export interface AnswerSchema {
  /** The `response_format` to send. */
  readonly responseFormat: JsonObject
  /** @throws FailedError when an answer's text is not JSON of this schema. */
  check(text: string): void
}

/**
 * @param source Inline JSON, `@file` or a path.
 * @throws UsageError when it is no JSON schema.
 */
export async function loadSchema(source: string, io: Io): Promise<AnswerSchema> {
  const schema = await readSchema(source, io)
  const validate = await compile(schema)
  const title = typeof schema.title === 'string' ? schema.title.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) : ''
  return {
    responseFormat: { type: 'json_schema', json_schema: { name: title || 'answer', schema } },
    check: (text) => {
      const problem = validate(parseAnswer(text))
      if (problem) throw new FailedError(`the answer does not fit the schema: ${problem}`)
    },
  }
}

async function readSchema(source: string, io: Io): Promise<JsonObject> {
  const isArgument = source.startsWith('@') || source.trimStart().startsWith('{') || isJson(source)
  if (!isArgument && source !== '' && source !== '-' && !existsSync(source)) {
    throw new UsageError(`--schema: no such file: ${source}; expected JSON or a file`)
  }
  if (!isArgument) return readObject(source, '--schema', io)
  const schema = await readArgument(source, '--schema', io)
  if (isObject(schema)) return schema
  throw invalidValue('--schema', { path: [], found: quote(schema), expected: 'an object' })
}

/** @returns a function that tells the first problem of a value. */
async function compile(schema: JsonObject): Promise<(value: Json) => string | undefined> {
  const isDraft7 = typeof schema.$schema === 'string' && /draft-0[4-7]/.test(schema.$schema)
  // Through `default`, which is all that a bundled CommonJS module has.
  const Ajv = isDraft7 ? (await import('ajv')).default.Ajv : (await import('ajv/dist/2020.js')).default.Ajv2020
  const { default: formats } = await import('ajv-formats')
  const ajv = new Ajv({ strict: false, logger: false })
  formats.default(ajv)
  try {
    const validate = ajv.compile(schema)
    return (value) => (validate(value) ? undefined : problemText(validate.errors))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`--schema: not a JSON schema: ${problemText(ajv.errors) ?? reason}`)
  }
}

/** The first problem: where it is, and what is wrong there. */
function problemText(errors: readonly ErrorObject[] | null | undefined): string | undefined {
  const [error] = errors ?? []
  if (!error) return undefined
  const steps = error.instancePath.split('/').slice(1)
  // Array positions are kept apart from keys by their look alone: the pointer doesn't tell.
  const path = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : unescapeStep(step)))
  const { allowedValues, additionalProperty } = error.params as Record<string, unknown>
  const detail = allowedValues ?? additionalProperty
  return harmlessName(`${jsonPath(path)} ${error.message}${detail === undefined ? '' : `: ${quote(detail)}`}`)
}

/** RFC 6901, section 4. */
function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

function parseAnswer(text: string): Json {
  if (!isJson(text)) throw new FailedError('the answer does not fit the schema: it is not JSON')
  return JSON.parse(text) as Json
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
