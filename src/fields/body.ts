/** Merges a request's body from `--body`, `--param` and flags. */

import { withHint } from '../errors.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Fields, Values } from './field.ts'
import { suggestion } from './nearest.ts'
import { parseExactJsonOrText } from './numbers.ts'
import { checkBody } from './parse.ts'
import { invalidValue } from './problem.ts'

export interface BodySources {
  readonly body?: JsonObject | undefined
  /** The `--param` pairs. */
  readonly param?: readonly string[] | undefined
}

/**
 * Flags win over `--param`, which wins over `--body`.
 * @param unsent Rows of a similar request. `--body` may contain them; they are dropped.
 * @param info Prints a notice for each key of `--body` without a row. Such keys are sent.
 * @throws UsageError for a value of `--body` that its row does not accept.
 */
export async function mergeBody<F extends Fields>(
  { fields, unsent }: { readonly fields: F; readonly unsent: Fields },
  flags: Values<F>,
  sources: BodySources,
  info: (notice: string) => Promise<void>,
): Promise<Values<F> & JsonObject> {
  let document: JsonObject = {}
  if (sources.body !== undefined) {
    const { sourceOf } = await import('./document.ts')
    const where = sourceOf(sources.body) ?? '--body'
    document = Object.fromEntries(Object.entries(sources.body).filter(([name]) => !Object.hasOwn(unsent, name)))
    const problem = await checkBody(fields, document)
    if (problem) throw invalidValue(where, problem)
    for (const key of Object.keys(document).filter((name) => !(name in fields))) {
      const similar = suggestion(key, Object.keys(fields))
      await info(`${where}: unknown field ${JSON.stringify(key)}${similar}; sending it anyway`)
    }
  }
  return { ...document, ...parseParams(sources.param ?? []), ...flags }
}

/**
 * Parses `key=value` pairs, unchecked. A value is parsed as JSON if it is valid JSON, otherwise it is text.
 * @throws UsageError for a pair without a key, and for a number that cannot be sent as it is.
 */
function parseParams(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 1 || /\s/.test(pair.slice(0, equals))) {
        const error = invalidValue('--param', { path: [], found: JSON.stringify(pair), expected: 'key=value' })
        // Of other programs: -p with a prompt.
        throw equals === 0 ? error : withHint(error, 'for a prompt, leave out -p')
      }
      const [key, text] = [pair.slice(0, equals), pair.slice(equals + 1)]
      return [key, parseExactJsonOrText(text, `--param ${key}`)]
    }),
  )
}
