/** A request's body from its three sources. */

import type { Io } from '../io/io.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Fields, Values } from './field.ts'
import { nearest } from './nearest.ts'
import { checkBody, checkExact } from './parse.ts'
import { invalidValue } from './problem.ts'

export interface BodySources {
  /** Path of the document that `--body` names, or `-`. */
  readonly body?: string | undefined
  /** The `--param` pairs. */
  readonly param?: readonly string[] | undefined
}

/**
 * Flags win over `--param`, which wins over `--body`.
 * @param unsent Rows of a like request: a document may hold them, and they are left out.
 * @param@param info Called with keys in the document that have no row; they are sent all the same.
 * @throws UsageError for a document that breaks the table.
 */
export async function mergeBody<F extends Fields>(
  { fields, unsent }: { readonly fields: F; readonly unsent: Fields },
  flags: Values<F>,
  sources: BodySources,
  io: Io,
  info: (notice: string) => Promise<void>,
): Promise<Values<F> & JsonObject> {
  let document: JsonObject = {}
  if (sources.body !== undefined) {
    const { readObject } = await import('./document.ts')
    const whole = await readObject(sources.body, '--body', io)
    document = Object.fromEntries(Object.entries(whole).filter(([name]) => !Object.hasOwn(unsent, name)))
    const problem = await checkBody(fields, document)
    if (problem) throw invalidValue(`--body ${sources.body}`, problem)
    for (const key of Object.keys(document).filter((name) => !(name in fields))) {
      const meant = nearest(key, Object.keys(fields))
      await info(
        `--body ${sources.body}: unknown field ${key}${meant ? ` (did you mean ${meant}?)` : ''}; passed on as it is`,
      )
    }
  }
  return { ...document, ...parseParams(sources.param ?? []), ...flags }
}

/**
 * Parses `key=value` pairs, unchecked. A value that is JSON is taken as JSON, anything else as text.
 * @throws UsageError for a pair without a key.
 */
function parseParams(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 1) throw invalidValue('--param', { path: [], found: JSON.stringify(pair), expected: 'key=value' })
      const [key, text] = [pair.slice(0, equals), pair.slice(equals + 1)]
      checkExact(`--param ${key}`, text)
      return [key, jsonOrText(text)]
    }),
  )
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
