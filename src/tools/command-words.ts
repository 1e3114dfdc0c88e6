/** The words of a command, in which `{{name}}` stands for an argument. No shell reads them. */

import { FailedError, UsageError } from '../errors.ts'
import { noSuchColumn, valueAt } from '../input/records.ts'
import { parseTemplate, type Template } from '../input/template.ts'
import { bareText, type Json, type JsonObject } from '../io/json/json.ts'

interface Word {
  readonly word: string
  /** Up to the `://` of a URL, or all of it. */
  readonly start: Template
  /** From there on: values are percent-encoded. */
  readonly url: Template
}

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
  const parsed = words.map((word, index) => parseWord(word, `${where}[${index}]`, index === 0 ? [] : parameters))
  return (args) => parsed.flatMap((word) => fill(word, args) ?? [])
}

function parseWord(word: string, where: string, parameters: readonly string[]): Word {
  const urlAt = word.includes('://') ? word.indexOf('://') : word.length
  const parse = (text: string): Template => parseTemplate(text, { where, line: 1 })
  const [start, url] = [parse(word.slice(0, urlAt)), parse(word.slice(urlAt))]
  const names = [...start.columns, ...url.columns]
  if (/\{\{\s*\.\s*\}\}/.test(word)) {
    throw new UsageError(`${where}: {{.}} is not accepted: the command gets all arguments on stdin`)
  }
  const unknown = names.find((name) => !parameters.includes(name.split('.')[0] ?? '') && !parameters.includes(name))
  if (unknown !== undefined) throw noSuchColumn(where, unknown, parameters, 'parameter')
  return { word, start, url }
}

/** @returns `undefined` if an argument is absent: its word is dropped. */
function fill({ word, start, url }: Word, args: JsonObject): string | undefined {
  const values = new Map<string, Json>()
  for (const name of [...start.columns, ...url.columns]) {
    const value = valueAt(args, name)
    if (value === undefined || value === null) return undefined
    if (bareText(value).includes('\0')) throw new FailedError(`${name} has a NUL character, which no argument can have`)
    values.set(name, value)
  }
  const render = (template: Template, textOf: (value: Json) => string): string => {
    const texts = [...values].map(([name, value]) => [name, textOf(value)] as const)
    return template.render({ line: 1, raw: '', value: Object.fromEntries(texts) }, 'command')
  }
  const encoded = render(url, (value) => encodeURIComponent(bareText(value).toWellFormed()))
  const filled = render(start, bareText) + encoded
  const [first, ...others] = values.values()
  const isNumber = typeof first === 'number' && others.length === 0
  if (/^[-@]/.test(filled) && filled[0] !== word[0] && !(isNumber && /^[-\d.eE+]+$/.test(filled))) {
    throw new FailedError(
      `a value that begins with ${filled[0]} is not accepted here: the program could take it for an option`,
    )
  }
  const isStep = (step: string): boolean => /^(\.|%2e){1,2}$/i.test(step)
  if (url.columns.length > 0 && (encoded.split(/[?#]/)[0] ?? '').split('/').some(isStep)) {
    throw new FailedError('. and .. are not accepted in the path of a URL')
  }
  return filled
}
