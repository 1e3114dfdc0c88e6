/** A command of the user as a tool: it gets the arguments as JSON on stdin, and what it prints is the result. */

import { errorMessage, FailedError, UsageError } from '../errors.ts'
import { noSuchColumn, valueAt } from '../input/records.ts'
import { parseTemplate, type Template } from '../input/template.ts'
import { exactJson } from '../io/json/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../io/json/json.ts'
import { bareText, jsonPath, quote } from '../io/json/print.ts'
import { outputOf, startGroup } from '../io/process/process-group.ts'
import { environmentFor } from './environment.ts'
import { type CallOutcome, createTool, loadValidator, maxErrorLine, maxLength } from './tool.ts'
import type { Tool, ToolsContext } from './tool.ts'
import type { ToolCommandEntry } from './tools-file.ts'

/** In characters: the end of what a failed command wrote to stderr. */
const maxErrorLength = 4000

/** In characters: what of it is read, as a key is masked before the rest is cut. */
const maxKept = 2 * maxErrorLength

/** @param path The file. @throws UsageError for a schema, a word or a variable that is not accepted, naming the JSON path. */
export async function commandTool(
  name: string,
  own: ToolCommandEntry,
  path: string,
  context: ToolsContext,
): Promise<Tool> {
  const { command, env, ...entry } = own
  const { io, secrets, notices } = context
  const where = `${path}: ${jsonPath(['tools', name])}`
  const fillers = command.map((_word, at) => parseWord(command, at, `${where}.command[${at}]`, entry.parameters))
  const variables = environmentFor('command', env, where, context)
  const validate = await loadValidator(entry.parameters, io.signal).catch((error: unknown) => {
    io.signal.throwIfAborted()
    throw new UsageError(`${where}.parameters: not a JSON schema: ${errorMessage(error)}`)
  })
  const run = async (args: JsonObject, stop: AbortSignal): Promise<CallOutcome> => {
    const words = fillers.flatMap((fill) => fill(args))
    const group = startGroup(words, variables, io)
    const { output, errors, failure } = await outputOf(group, stop, exactJson(args))
    // A character longer, so that it shows that there was more.
    const text = output.toString().slice(0, maxLength + 1)
    const [said = '', masked = ''] = [output, errors].map((end) =>
      secrets.mask(withoutCutWord(end.toString().slice(-maxKept))).trimEnd(),
    )
    if (masked !== '') await notices.debug(() => `${name} on stderr: ${masked}`)
    if (failure === undefined) return { text }
    const end = masked.slice(-maxErrorLength).replace(/^[\udc00-\udfff]/, '')
    const reason = `[${stop.aborted ? errorMessage(stop.reason) : failure}]`
    const lastLine = (masked || said).split('\n').at(-1)?.slice(0, maxErrorLine)
    const errorLine = lastLine ? `${lastLine} ${reason}` : reason
    return { text, failure: `${end === '' ? '' : `\n[stderr]\n${end}`}\n${reason}\n`, errorLine }
  }
  return createTool({ name, label: name, ...entry, validate, run }, context)
}

/** A word of which the start was cut off may be the end of a key, which is not found. */
function withoutCutWord(text: string): string {
  return text.length < maxKept ? text : text.slice(/^\S{0,4000}/.exec(text)?.[0].length)
}

/**
 * A word of a command, in which `{{name}}` stands for an argument. No shell reads it.
 * @param where The file and the JSON path of the word, for errors. @param parameters The schema of the arguments.
 * @returns what makes it for a call. It throws a FailedError for a value that a program could take for something else, and
 * for an absent one without which the words after it would move. An option is dropped together with its value, and so is what
 * begins with a name, as in `name=value`.
 * @throws UsageError for a name that is no parameter, or plainly may be absent, and for a program that the model would choose.
 */
export function parseWord(words: readonly string[], at: number, where: string, parameters: JsonObject) {
  const word = words[at] ?? ''
  const isNamed = /^-+\w/.test(word) || (/^\w[\w.-]*=/.test(word) && !words[at - 1]?.startsWith('-'))
  const mayBeDropped = isNamed || at === words.length - 1
  // From the :// of a URL on, values are percent-encoded.
  const urlAt = word.includes('://') ? word.indexOf('://') : word.length
  const parse = (text: string): Template => parseTemplate(text, { where, line: 1 })
  const [start, url] = [parse(word.slice(0, urlAt)), parse(word.slice(urlAt))]
  const names = [...start.columns, ...url.columns]
  if (/\{\{\s*\.\s*\}\}/.test(word)) {
    throw new UsageError(`${where}: {{.}} is not accepted: the command gets all arguments on stdin`)
  }
  if (at === 0 && names[0] !== undefined) {
    throw new UsageError(`${where}: {{${names[0]}}} is not accepted: the model may not choose the program`)
  }
  const properties = isObject(parameters.properties) ? parameters.properties : {}
  const known = Object.keys(properties)
  const unknown = names.find((name) => !known.includes(name.split('.')[0] ?? '') && !known.includes(name))
  if (unknown !== undefined) throw noSuchColumn(where, unknown, known, 'parameter')
  const defaults = defaultsOf(properties)
  const pathOf = (name: string): string[] => (known.includes(name) ? [name] : name.split('.'))
  const optional = names.find((name) => mayBeAbsent(parameters, pathOf(name), defaults))
  if (optional !== undefined && !mayBeDropped) {
    const isNested = pathOf(optional).length > 1
    const hint = isNested ? 'make it required' : 'make it required, or give it a default in the schema'
    throw new UsageError(`${where}: {{${optional}}} may be absent, and the words after it would move`, { hint })
  }
  return (given: JsonObject): string[] => {
    const args = { ...defaults, ...given }
    const values = names.map((name) => valueAt(args, name) ?? null)
    const absent = names[values.indexOf(null)]
    if (absent !== undefined && mayBeDropped) return []
    if (absent !== undefined) throw new FailedError(`${quote(absent)} has no value, and the words after it would move`)
    const record = { line: 1, raw: '', value: args }
    const encoded = url.render(record, where, (value) => encodeURIComponent(bareText(value).toWellFormed()))
    const filled = start.render(record, where) + encoded
    if (filled.includes('\0')) throw new FailedError('a NUL character is not accepted here')
    const isNumber = values.length === 1 && typeof values[0] === 'number' && String(values[0]) === filled
    if (/^[-@]/.test(filled) && filled[0] !== word[0] && !isNumber) {
      const danger = 'the program could take it for an option or a file'
      throw new FailedError(`a value that begins with ${filled[0]} is not accepted here: ${danger}`)
    }
    if (url.columns.length > 0 && /\/(\.|%2e){1,2}(?![^/?#])/i.test(encoded.slice('://'.length))) {
      throw new FailedError('. and .. are not accepted in the path of a URL')
    }
    return [filled]
  }
}

/** Keywords that may require a property without naming it in `required`. */
const requiring = /^(\$\w*ref|\w+Of|if|not|const|enum|minProperties|depend\w+)$/i

/** The defaults of parameters. `null` is none: Python's libraries write it for a parameter that may be absent. */
function defaultsOf(properties: JsonObject): JsonObject {
  const all = Object.entries(properties).map(([name, one]) => [name, isObject(one) ? one.default : undefined])
  return Object.fromEntries(all.filter(([, value]) => (value ?? null) !== null)) as JsonObject
}

/** Whether a schema says plainly that a property may be absent: it is not required, and has no default. */
function mayBeAbsent(schema: Json | undefined, [key = '', ...rest]: readonly string[], defaults: JsonObject): boolean {
  if (!isObject(schema) || Object.keys(schema).some((keyword) => requiring.test(keyword))) return false
  const { properties, required = [] } = schema
  const property = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
  const isGiven = property === undefined || Object.hasOwn(defaults, key) || [required].flat().includes(key)
  return !isGiven || (rest.length > 0 && mayBeAbsent(property, rest, {}))
}
