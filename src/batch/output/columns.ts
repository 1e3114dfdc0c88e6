/** The columns of tables: those of the input that are kept, then the answer. */

import { UsageError } from '../../errors.ts'
import { bareText, withExactNumbers, isObject, type Json, type JsonObject, parseJsonIfValid } from '../../io/json.ts'
import { answerText, firstText } from './answer-text.ts'
import type { InputRecord } from '../row.ts'

export interface Columns {
  /** Columns of the input. */
  readonly keep: readonly string[]
  /** The properties of the schema, a column for each; without them the answer is one column. */
  readonly properties: readonly string[]
}

const answerColumn = 'answer'

/**
 * @param schema Of the answers.
 * @throws UsageError when two columns have the same name.
 */
export function columnsOf(keep: readonly string[], schema: JsonObject | undefined): Columns {
  const columns = { keep, properties: isObject(schema?.properties) ? Object.keys(schema.properties) : [] }
  const names = columnNames(columns)
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw new UsageError(`--keep: the output has two columns named "${repeated}"`)
  return columns
}

export function columnNames({ keep, properties }: Columns): string[] {
  return [...keep, ...(properties.length > 0 ? properties : [answerColumn])]
}

/** The row of a table: the values by column. */
export function valuesOf({ keep, properties }: Columns, { value }: InputRecord, body: Json): Map<string, Json> {
  const values = new Map<string, Json>()
  const add = (name: string, object: Json | undefined): void => {
    values.set(name, isObject(object) && Object.hasOwn(object, name) ? (object[name] ?? null) : null)
  }
  for (const name of keep) add(name, value)
  if (properties.length === 0) return values.set(answerColumn, body === null ? null : answerText(body))
  const text = firstText(body)
  const answer = withExactNumbers(parseJsonIfValid(text, null), text)
  for (const name of properties) add(name, answer)
  return values
}

/** A value in a cell of CSV. */
export function cellText(value: Json): string {
  if (value === null) return ''
  return bareText(value)
}
