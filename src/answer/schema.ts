/** `--schema`: the JSON schema that is sent with the request, and that the answer is checked against. */

import { existsSync } from 'node:fs'
import { FailedError, UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import { readArgument, readObject } from '../fields/document.ts'
import { compileSchema, InvalidSchemaError } from '../fields/json-schema.ts'
import { isObject, parseJsonIfValid, quote, type Json, type JsonObject } from '../io/json.ts'
import type { Io } from '../io/io.ts'

export interface AnswerSchema {
  /** The `response_format` to send. */
  readonly responseFormat: JsonObject
  /** @throws FailedError if the text of an answer is not JSON that matches the schema. */
  check(text: string): void
}

/**
 * @param source Inline JSON, `@file` or a path.
 * @throws UsageError if it is not a JSON schema.
 */
export async function loadSchema(source: string, io: Io): Promise<AnswerSchema> {
  const schema = await readSchema(source, io)
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

async function readSchema(source: string, io: Io): Promise<JsonObject> {
  const isArgument =
    source.startsWith('@') || source.trimStart().startsWith('{') || parseJsonIfValid(source) !== undefined
  if (!isArgument && source !== '' && source !== '-' && !existsSync(source)) {
    throw new UsageError(`--schema: no such file: ${source}; expected JSON or a file`)
  }
  if (!isArgument) return readObject(source, '--schema', io)
  const schema = await readArgument(source, '--schema', io)
  if (isObject(schema)) return schema
  throw invalidValue('--schema', { path: [], found: quote(schema), expected: 'an object' })
}

async function compile(schema: JsonObject): ReturnType<typeof compileSchema> {
  try {
    return await compileSchema(schema)
  } catch (error) {
    if (error instanceof InvalidSchemaError) throw new UsageError(`--schema: not a JSON schema: ${error.message}`)
    throw error
  }
}

function parseAnswer(text: string): Json {
  const json = parseJsonIfValid(text)
  if (json === undefined) throw new FailedError('the answer does not match the schema: it is not JSON')
  return json
}
