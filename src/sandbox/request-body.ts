/** The body of a request: read, and checked against the table of its fields. */

import type { IncomingMessage } from 'node:http'
import { checkBody, missingField } from '../fields/parse.ts'
import type { Fields, Values } from '../fields/field.ts'
import { isModelName } from '../fields/kinds.ts'
import type { Problem } from '../fields/problem.ts'
import { isObject, jsonPath, type JsonObject } from '../io/json.ts'
import { Refusal } from './refusal.ts'

/** Enough for the longest context with images beside it. */
const largestBody = 32 * 1024 * 1024

/** @returns nothing for a body that is too large. */
export async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // Read to the end all the same: a client that is still writing would miss an early reply.
    if (size > largestBody) chunks.length = 0
    else chunks.push(chunk)
  }
  return size > largestBody ? undefined : Buffer.concat(chunks)
}

/** @throws Refusal: 413 for a body that is too large, 400 when it isn't JSON. */
export function parseBody(bytes: Buffer | undefined): unknown {
  if (!bytes) throw new Refusal(413, `The body is larger than ${largestBody} bytes.`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new Refusal(400, `The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * @param optional Required rows that this operation does without.
 * @returns the body, without keys that are null: clients send null for what is not set.
 * @throws Refusal naming the field.
 */
export async function checkRequest<F extends Fields>(
  fields: F,
  body: unknown,
  optional: readonly string[] = [],
): Promise<Values<F> & JsonObject> {
  if (!isObject(body)) throw new Refusal(400, 'The body should be a JSON object.')
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  const { model } = given
  if (typeof model === 'string' && !isModelName(model)) {
    const advice = `got ${JSON.stringify(model)}`
    throw new Refusal(400, `Your model name should start with an hf: prefix; ${advice}`)
  }
  const rows = Object.entries(fields).filter(([name]) => !optional.includes(name))
  const missing = missingField(Object.fromEntries(rows), given)
  if (missing !== undefined) throw new Refusal(400, `$.${missing} is missing; it is required`)
  const problem = await checkBody(fields, given)
  if (problem) throw new Refusal(400, describe(problem))
  return given as Values<F> & JsonObject
}

function describe({ path, found, expected }: Problem): string {
  if (found === 'missing') return `${jsonPath(path)} is missing; ${expected}`
  return `${jsonPath(path)}: ${found} is not accepted; expected ${expected}`
}
