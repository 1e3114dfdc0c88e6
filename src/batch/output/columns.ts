/** The columns of tables: those of the input that are kept, then the answer. */

import { UsageError } from '../../errors.ts'
import {
  bareText,
  withExactNumbers,
  isObject,
  type Json,
  type JsonObject,
  parseJsonIfValid,
} from '../../io/json/json.ts'
import { answerText, firstText } from './answer-text.ts'
import { type InputRecord, namesIn, valueAt } from '../../input/records.ts'

export interface Columns {
  /** Columns of the input. */
  readonly keep: readonly string[]
  /** Whether all are kept; `keep` is empty then. */
  readonly keepsAll: boolean
  /** The properties of the schema, a column for each; without them the answer is one column. */
  readonly properties: readonly string[]
}

/** For `--keep`: all columns of the input. */
export const allColumns = '*'

const answerColumn = 'answer'

/**
 * @param schema Of the answers.
 * @throws UsageError when two columns have the same name.
 */
export function columnsOf(keep: readonly string[], schema: JsonObject | undefined): Columns {
  if (keep.includes('')) throw new UsageError('--keep: the name of a column is empty')
  const keepsAll = keep.includes(allColumns)
  const properties = isObject(schema?.properties) ? Object.keys(schema.properties) : []
  const columns = { keep: keepsAll ? [] : keep, keepsAll, properties }
  const names = columnNames(columns, undefined)
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw new UsageError(`--keep: the output has two columns named "${repeated}"`)
  return columns
}

/** @param header The names of the columns of a table that is the input. */
export function columnNames(columns: Columns, header: readonly string[] | undefined): string[] {
  const kept = columns.keepsAll ? (header ?? []) : columns.keep
  return [...kept, ...addedColumns(columns)]
}

/** Those of the answer. */
export function addedColumns({ properties }: Columns): readonly string[] {
  return properties.length > 0 ? properties : [answerColumn]
}

type Values = readonly (readonly [column: string, value: Json])[]

/** What a row of a table keeps of the input. */
export function keptValues(
  { keep, keepsAll }: Columns,
  { value }: InputRecord,
  header: readonly string[] | undefined,
): Values {
  return (keepsAll ? (header ?? namesIn(value)) : keep).map((name) => [name, valueAt(value, name) ?? null])
}

/** What follows it in the row. */
export function answerValues({ properties }: Columns, body: Json): Values {
  if (properties.length === 0) return [[answerColumn, body === null ? null : answerText(body)]]
  const text = firstText(body)
  const answer = withExactNumbers(parseJsonIfValid(text, null), text)
  return properties.map((name) => [
    name,
    isObject(answer) && Object.hasOwn(answer, name) ? (answer[name] ?? null) : null,
  ])
}

/** A value in a cell of CSV. */
export function cellText(value: Json): string {
  if (value === null) return ''
  return bareText(value)
}
