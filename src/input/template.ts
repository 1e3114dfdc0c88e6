/** `--template`: a prompt with `{{name}}` in it. There is no logic, and a missing value is an error. */

import { type Hint, UsageError } from '../errors.ts'
import { suggestion } from '../fields/suggestion.ts'
import { invalidValue } from '../fields/problem.ts'
import type { PromptText } from '../fields/prompt-file.ts'
import type { Json } from '../io/json/json.ts'
import { positionText } from '../io/json/parse.ts'
import { bareText, quote } from '../io/json/print.ts'
import { type InputRecord, missingColumn, namesIn, valueAt, wholeRecord } from './records.ts'

/** The only way to write two braces: a name in quotes, as in other templates. */
const twoBraces = '"{{"'

/** A literal text, or the name of a column. */
type TemplatePart = { readonly text: string } | { readonly name: string; readonly path: readonly string[] }

export interface Template {
  /** The columns named, and `.` for the whole record, each once. */
  readonly columns: readonly string[]
  /** Whether it is the same for all records. */
  readonly isConstant: boolean
  /**
   * @param where The document, for errors.
   * @param textOf Makes the text of a value that is not null (default: a string as it is, anything else as JSON).
   * @throws UsageError for a column that the record lacks.
   */
  render(record: InputRecord, where: string, textOf?: (value: Json) => string): string
  /** The error for a column, of the template or another one. @param known Those of the document. */
  missing(where: string, name: string, known: readonly string[]): UsageError
}

/**
 * @param prompt The source of the text, and the `--var` pairs, which come before columns.
 * @throws UsageError for braces that are not closed, or that contain no name, and for a `--var` that the text does not name.
 */
export function parseTemplate(
  text: string,
  prompt: Pick<PromptText, 'name' | 'where' | 'line' | 'vars'> = { where: '--template', line: 1 },
): Template {
  const { where, line, vars = [] } = prompt
  const parts: TemplatePart[] = []
  const values = new Map(vars.map(parsePair))
  const unused = new Set(values.keys())
  let at = 0
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', at)) {
    const end = text.indexOf('}}', start)
    const position = positionText(start, text, line)
    if (end === -1) throw new UsageError(`${where}: {{ is not closed${position}`)
    const name = text.slice(start + 2, end).trim()
    parts.push({ text: text.slice(at, start) })
    if (name === twoBraces) parts.push({ text: '{{' })
    else if (name === '' || /[{}\n]/.test(name)) {
      const found = quote(text.slice(start, end + 2)) + position
      throw invalidValue(where, { path: [], found, expected: '{{column}}, {{a.b}} or {{.}}' })
    } else {
      const value = values.get(name)
      parts.push(value === undefined ? { name, path: name.split('.') } : { text: value })
      unused.delete(name)
    }
    at = end + 2
  }
  parts.push({ text: text.slice(at) })
  const names = parts.flatMap((part) => ('name' in part ? [part.name] : []))
  for (const name of unused) throw new UsageError(`${where}: the text has no {{${name}}}${suggestion(name, names)}`)
  const missing = (place: string, name: string, known: readonly string[]): UsageError => {
    const error = missingColumn(place, name, known)
    return prompt.name !== undefined && names.includes(name) ? noValue(prompt, name, `; ${error.message}`) : error
  }
  return {
    columns: [...new Set(names)],
    isConstant: names.length === 0,
    render: ({ line, value }, document, textOf = bareText) => {
      let rendered = ''
      for (const part of parts) {
        const inner = 'text' in part ? null : valueAt(value, part.name, part.path)
        if ('text' in part) rendered += part.text
        else if (inner === undefined) throw missing(`${document}, line ${line}`, part.name, namesIn(value))
        else if (inner !== null) rendered += textOf(inner)
      }
      return rendered
    },
    missing,
  }
}

/** @param found What else has none. */
function noValue({ name, where }: Pick<PromptText, 'name' | 'where'>, missing: string, found = ''): UsageError {
  const prompt = name === undefined ? where : `prompt ${name}`
  const hint: Hint = missing === wholeRecord ? 'give words, or pipe in a text' : { code: 'set variable', name: missing }
  return new UsageError(`${prompt}: no value for ${JSON.stringify(missing)}${found}`, { hint })
}

function parsePair(pair: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]+)=([^]*)$/.exec(pair) ?? []
  if (name !== '' && name !== wholeRecord) return [name, value]
  throw invalidValue('--var', { path: [], found: quote(pair), expected: 'NAME=VALUE' })
}

/** A prompt without other names than `{{.}}`: the user's input, which else follows it. @throws UsageError for another name. */
export function inputTemplate(prompt: PromptText): { readonly isConstant: boolean; fill(input?: string): string } {
  const { columns, isConstant, render } = parseTemplate(prompt.text, prompt)
  for (const name of columns) if (name !== wholeRecord) throw noValue(prompt, name)
  return {
    isConstant,
    fill: (input) => {
      if (!isConstant && input === undefined) throw noValue(prompt, wholeRecord)
      const text = render({ line: 1, raw: '', value: input ?? '' }, prompt.where)
      return isConstant ? [text, input ?? ''].filter((part) => part.trim() !== '').join('\n\n') : text
    },
  }
}
