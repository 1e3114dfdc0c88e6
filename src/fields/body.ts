/** Merges a request's body from `--body`, `--param` and flags. */

import { UsageError, withHint } from '../errors.ts'
import { quote, type JsonObject } from '../io/json/json.ts'
import { mergeRows, type Fields, type Values } from './field.ts'
import { suggestion } from './nearest.ts'
import { parseExactJsonOrText } from './numbers.ts'
import { checkBody } from './parse.ts'
import { cannotBeCombined, invalidValue } from './problem.ts'
import type { PromptText } from './prompt-file.ts'

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

/** The text of a prompt is its message, and no prompt chooses what a model may run. */
const unsettable = new Set(['messages', 'prompt', 'stream', 'tools', 'functions'])

/**
 * Reads what the head of a prompt sets: fields of the request, and of the options `system` and `schema`. No value names a file.
 * @param given It overrides what it sets, and what it excludes. @param meantModel Finds the model that a name is a part of.
 * @throws UsageError naming file, line and field.
 */
export async function headValues(
  { head, where }: PromptText,
  { fields, options = {} }: { readonly fields: Fields; readonly options?: Fields | undefined },
  given: Readonly<Record<string, unknown>>,
  meantModel: (name: string, where: string) => Promise<string>,
): Promise<{ readonly fields: JsonObject; readonly options: JsonObject }> {
  const { withSource } = await import('./document.ts')
  const rows = mergeRows(fields, options)
  const sent = 'response_format' in fields ? ['system', 'schema'] : ['system']
  const settable = Object.keys(rows).filter((name) => (name in fields ? !unsettable.has(name) : sent.includes(name)))
  const excludes = (name: string, other: string): boolean =>
    Boolean(rows[name]?.exclusive?.includes(other) || rows[other]?.exclusive?.includes(name))
  const values = { fields: {} as JsonObject, options: {} as JsonObject }
  for (const [name, { value, line }] of head) {
    if (name === 'description') continue
    const at = `${where}, line ${line}`
    const row = settable.includes(name) ? rows[name] : undefined
    if (!row) {
      const similar = suggestion(name, [...settable, 'description'])
      throw new UsageError(`${at}: ${quote(name)} is not a field that a prompt can set here${similar}`)
    }
    const label = `${at}: ${name}`
    const other = [...head.keys()].find((one) => excludes(name, one))
    if (other !== undefined) throw cannotBeCombined([label, other])
    // As on the command line, `--no-name` excludes nothing.
    if (Object.entries(given).some(([one, to]) => one === name || (to !== false && excludes(name, one)))) continue
    const isText = row.kind === 'text' || name === 'system'
    const json = isText ? value : withSource(parseExactJsonOrText(value, label), label)
    const listed = row.kind === 'texts' && !row.single && typeof json === 'string' ? [json] : json
    const set = row.kind === 'model' ? await meantModel(value, label) : listed
    const problem = await checkBody({ [name]: row }, { [name]: set })
    if (problem) throw invalidValue(label, { ...problem, path: problem.path.slice(1) })
    values[name in options ? 'options' : 'fields'][name] = set
  }
  return values
}
