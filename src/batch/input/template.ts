/** `--template`: a prompt with `{{column}}` in it. There is no logic, and a missing column is an error. */

import { UsageError } from '../../errors.ts'
import { invalidValue } from '../../fields/problem.ts'
import { bareText, isObject, positionText, quote, type Json } from '../../io/json.ts'
import type { InputRecord } from '../row.ts'

/** The name for the whole record. */
export const wholeRecord = '.'

/** The only way to write two braces: a name in quotes, as in other templates. */
const twoBraces = '"{{"'

/** A literal text, or the name of a column. */
type Part = { readonly text: string } | { readonly name: string; readonly path: readonly string[] }

export interface Template {
  /** The columns named, except `.`, each once. */
  readonly columns: readonly string[]
  /** Whether it names the whole record. */
  readonly usesRecord: boolean
  /** Whether it is the same for all records. */
  readonly isConstant: boolean
  /** @param where The document, for errors. @throws UsageError for a column that the record lacks. */
  render(record: InputRecord, where: string): string
}

/**
 * @param where The option or file, for errors.
 * @throws UsageError for braces that are not closed, or that contain no name.
 */
export function parseTemplate(text: string, where = '--template'): Template {
  const parts: Part[] = []
  let at = 0
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', at)) {
    const end = text.indexOf('}}', start)
    const position = positionText(start, text, 1)
    if (end === -1) throw new UsageError(`${where}: {{ is not closed${position}`)
    const name = text.slice(start + 2, end).trim()
    parts.push({ text: text.slice(at, start) })
    if (name === twoBraces) parts.push({ text: '{{' })
    else if (name === '' || /[{}\n]/.test(name)) {
      const found = quote(text.slice(start, end + 2)) + position
      throw invalidValue(where, { path: [], found, expected: '{{column}}, {{a.b}} or {{.}}' })
    } else parts.push({ name, path: name.split('.') })
    at = end + 2
  }
  parts.push({ text: text.slice(at) })
  const names = parts.flatMap((part) => ('name' in part && part.name !== wholeRecord ? [part.name] : []))
  return {
    columns: [...new Set(names)],
    usesRecord: parts.some((part) => 'name' in part && part.name === wholeRecord),
    isConstant: !parts.some((part) => 'name' in part),
    render: (record, document) => render(parts, record, document),
  }
}

function render(parts: readonly Part[], record: InputRecord, where: string): string {
  let rendered = ''
  for (const part of parts) {
    if ('text' in part) {
      rendered += part.text
      continue
    }
    const value = valueAt(record.value, part.name, part.path)
    if (value === undefined) throw noSuchColumn(`${where}, line ${record.line}`, part.name, columnsOf(record.value))
    rendered += textOf(value)
  }
  return rendered
}

/**
 * What `{{name}}` and `--keep name` take of a record. A column whose name contains a point comes before the path that it may
 * also be.
 */
export function valueAt(value: Json, name: string, path: readonly string[] = name.split('.')): Json | undefined {
  if (name === wholeRecord) return value
  if (isObject(value) && Object.hasOwn(value, name)) return value[name]
  let inner: Json | undefined = value
  for (const key of path) {
    inner = isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined
    if (inner === undefined) return undefined
  }
  return inner
}

function textOf(value: Json): string {
  return value === null ? '' : bareText(value)
}

function columnsOf(value: Json): readonly string[] {
  return isObject(value) ? Object.keys(value) : [wholeRecord]
}

/** In an error. A record may have thousands. */
const maxColumns = 20

/** `reviews.csv, line 1: no column "x" (available: "title", "text")` */
export function noSuchColumn(where: string, name: string, columns: readonly string[]): UsageError {
  const named = columns.slice(0, maxColumns).map((column) => JSON.stringify(column))
  if (columns.length > maxColumns) named.push('…')
  const hint =
    columns[0] === wholeRecord ? 'use {{.}} for the whole line; for a table, use --input-format csv or tsv' : undefined
  return new UsageError(`${where}: no column ${JSON.stringify(name)} (available: ${named.join(', ') || 'none'})`, {
    hint,
  })
}
