/** `--template`: a prompt with `{{column}}` in it. There is no logic, and a missing column is an error. */

import { UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import { bareText, positionText, quote } from '../io/json/json.ts'
import { type InputRecord, namesIn, noSuchColumn, valueAt, wholeRecord } from './records.ts'

/** The only way to write two braces: a name in quotes, as in other templates. */
const twoBraces = '"{{"'

/** A literal text, or the name of a column. */
type Part = { readonly text: string } | { readonly name: string; readonly path: readonly string[] }

export interface Template {
  /** The columns named, except `.`, each once. */
  readonly columns: readonly string[]
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
    isConstant: !parts.some((part) => 'name' in part),
    render: (record, document) => render(parts, record, document),
  }
}

function render(parts: readonly Part[], { line, value }: InputRecord, where: string): string {
  let rendered = ''
  for (const part of parts) {
    if ('text' in part) {
      rendered += part.text
      continue
    }
    const inner = valueAt(value, part.name, part.path)
    if (inner === undefined) throw missingColumn(`${where}, line ${line}`, part.name, namesIn(value))
    rendered += inner === null ? '' : bareText(inner)
  }
  return rendered
}

/** The error for a column that a template names. @param known Those of the record. */
export function missingColumn(where: string, name: string, known: readonly string[]): UsageError {
  const isLine = known[0] === wholeRecord
  const hint = isLine ? 'use {{.}} for the whole line; for a table, use --input-format csv or tsv' : undefined
  return noSuchColumn(where, name, known, 'column', hint)
}
