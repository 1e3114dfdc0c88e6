/** The words of a command, in which `{{name}}` stands for an argument. No shell reads them. */

import { FailedError, UsageError } from '../errors.ts'
import { noSuchColumn, valueAt } from '../input/records.ts'
import { parseTemplate, type Template } from '../input/template.ts'
import { bareText, type Json, type JsonObject } from '../io/json/json.ts'

/**
 * @param where The file and the JSON path of the command, for errors.
 * @param parameters Their names.
 * @returns what makes the words of a call. It throws a FailedError for a value that a program could take for something else.
 * @throws UsageError for a name that is no parameter, and for a program that the model would choose.
 */
export function parseWords(
  words: readonly string[],
  where: string,
  parameters: readonly string[],
): (args: JsonObject) => string[] {
  const fillers = words.map((word, index) =>
    parseWord(word, `${where}[${index}]`, index === 0 ? undefined : parameters),
  )
  return (args) => fillers.flatMap((fill) => fill(args) ?? [])
}

/**
 * @param parameters None for the program.
 * @returns what fills a word; `undefined` if an argument is absent: its word is dropped.
 */
function parseWord(
  word: string,
  where: string,
  parameters: readonly string[] | undefined,
): (args: JsonObject) => string | undefined {
  // From the :// of a URL on, values are percent-encoded.
  const urlAt = word.includes('://') ? word.indexOf('://') : word.length
  const parse = (text: string): Template => parseTemplate(text, { where, line: 1 })
  const [start, url] = [parse(word.slice(0, urlAt)), parse(word.slice(urlAt))]
  const names = [...start.columns, ...url.columns]
  if (/\{\{\s*\.\s*\}\}/.test(word)) {
    throw new UsageError(`${where}: {{.}} is not accepted: the command gets all arguments on stdin`)
  }
  if (!parameters && names[0] !== undefined) {
    throw new UsageError(`${where}: {{${names[0]}}} is not accepted: the model may not choose the program`)
  }
  const known = parameters ?? []
  const unknown = names.find((name) => !known.includes(name.split('.')[0] ?? '') && !known.includes(name))
  if (unknown !== undefined) throw noSuchColumn(where, unknown, known, 'parameter')
  return (args) => {
    const values = names.map((name) => valueAt(args, name) ?? null)
    if (values.includes(null)) return undefined
    const render = (template: Template, textOf: (value: Json) => string): string => {
      const texts = names.map((name, at) => [name, textOf(values[at] ?? null)])
      return template.render({ line: 1, raw: '', value: Object.fromEntries(texts) as JsonObject }, where)
    }
    const encoded = render(url, (value) => encodeURIComponent(bareText(value).toWellFormed()))
    const filled = render(start, bareText) + encoded
    checkFilled(filled, word, values)
    if (url.columns.length > 0 && /\/(\.|%2e){1,2}(?![^/?#])/i.test(encoded.slice('://'.length))) {
      throw new FailedError('. and .. are not accepted in the path of a URL')
    }
    return filled
  }
}

/** @throws FailedError, which is for the model. */
function checkFilled(filled: string, word: string, values: readonly Json[]): void {
  if (filled.includes('\0')) throw new FailedError('a NUL character is not accepted here')
  const isNumber = values.length === 1 && typeof values[0] === 'number' && String(values[0]) === filled
  if (!/^[-@]/.test(filled) || filled[0] === word[0] || isNumber) return
  throw new FailedError(
    `a value that begins with ${filled[0]} is not accepted here: the program could take it for an option or a file`,
  )
}
