/** A request's body from its three sources. */

import type { Io } from '../io/io.ts'
import { checkBody } from './check.ts'
import { refusal } from './problem.ts'
import { readObject } from './document.ts'
import type { Fields, Values } from './field.ts'
import type { JsonObject } from '../io/json.ts'
import { nearest } from './nearest.ts'
import { parseParams } from './parse.ts'

export interface BodySources {
  /** Path of the document that `--body` names, or `-`. */
  readonly body?: string | undefined
  /** The `--param` pairs. */
  readonly param?: readonly string[] | undefined
}

/**
 * Flags win over `--param`, which wins over `--body`.
 * @param unsent Rows of a like request: a document may hold them, and they are left out.
 * @param say Told of keys in the document that have no row; they are sent all the same.
 * @throws UsageError for a document that breaks the table.
 */
export async function mergeBody<F extends Fields>(
  { fields, unsent }: { readonly fields: F; readonly unsent: Fields },
  flags: Values<F>,
  sources: BodySources,
  io: Io,
  say: (notice: string) => Promise<void>,
): Promise<Values<F> & JsonObject> {
  let document: JsonObject = {}
  if (sources.body !== undefined) {
    const whole = await readObject(sources.body, '--body', io)
    document = Object.fromEntries(Object.entries(whole).filter(([name]) => !Object.hasOwn(unsent, name)))
    const problem = await checkBody(fields, document)
    if (problem) throw refusal(`--body ${sources.body}`, problem)
    for (const key of Object.keys(document).filter((name) => !(name in fields))) {
      const meant = nearest(key, Object.keys(fields))
      await say(
        `--body ${sources.body}: unknown field ${key}${meant ? ` (did you mean ${meant}?)` : ''}; passed on as it is`,
      )
    }
  }
  return { ...document, ...parseParams(sources.param ?? []), ...flags }
}
