/** Merges a request's body from `--body`, `--param` and flags. */

import { UsageError, withHint } from '../errors.ts'
import { quote, type JsonObject } from '../io/json/json.ts'
import type { Fields, Values } from './field.ts'
import { suggestion } from './nearest.ts'
import { parseExactJsonOrText } from './numbers.ts'
import { checkBody, type RawFlag } from './parse.ts'
import { invalidValue } from './problem.ts'
import type { PromptText } from './prompt-file.ts'

export interface BodySources {
  /** The fields of the head of a prompt. */
  readonly head?: JsonObject | undefined
  readonly body?: JsonObject | undefined
  /** The `--param` pairs. */
  readonly param?: readonly string[] | undefined
}

/**
 * Flags win over `--param`, which wins over `--body`, which wins over the head of the prompt.
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
  return { ...sources.head, ...document, ...parseParams(sources.param ?? []), ...flags }
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

/** The text of a prompt is its message, and no prompt chooses what a model may run. */
const unsettable = new Set(['messages', 'prompt', 'stream', 'tools', 'functions'])

/**
 * Reads what the head of a prompt sets: fields of the request, and of the options `system` and `schema`. No value names a file.
 * @param typed The flags. They override what they set, and what they exclude.
 * @throws UsageError naming file, line and field.
 */
export async function headValues(
  { head, where }: PromptText,
  fields: Fields,
  { system, schema }: Fields = {},
  typed: ReadonlyMap<string, RawFlag>,
): Promise<{ readonly fields: JsonObject; readonly options: JsonObject }> {
  const all: Fields = { ...fields, ...(system && { system }), ...(schema && { schema }) }
  const rows = Object.fromEntries(Object.entries(all).filter(([name]) => !unsettable.has(name)))
  const values = { fields: {} as JsonObject, options: {} as JsonObject }
  for (const [name, { value, line }] of head) {
    if (name === 'description') continue
    const at = `${where}, line ${line}`
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (!row) {
      const similar = suggestion(name, [...Object.keys(rows), 'description'])
      throw new UsageError(`${at}: ${quote(name)} is not a field that a prompt can set here${similar}`)
    }
    const isText = row.kind === 'text' || row.kind === 'model' || name === 'system'
    const json = isText ? value : parseExactJsonOrText(value, `${at}: ${name}`)
    const sent = row.kind === 'texts' && !row.single && typeof json === 'string' ? [json] : json
    const problem = await checkBody({ [name]: row }, { [name]: sent })
    if (problem) throw invalidValue(`${at}: ${name}`, { ...problem, path: problem.path.slice(1) })
    const isExcluded = [...typed.keys()].some(
      (flag) => flag === name || row.exclusive?.includes(flag) || rows[flag]?.exclusive?.includes(name),
    )
    if (!isExcluded) values[row === fields[name] ? 'fields' : 'options'][name] = sent
  }
  return values
}
