/** /set: the fields of the requests to come. */

import { UsageError } from '../../errors.ts'
import { flagName, type Field, type Fields } from '../../fields/field.ts'
import { nameAlike } from '../../fields/forms.ts'
import { suggestion } from '../../fields/nearest.ts'
import { parseFlags, type Typed } from '../../fields/parse.ts'
import { refusal } from '../../fields/problem.ts'
import { parseJson, quote, type JsonObject } from '../../io/json.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const set: SlashCommand = {
  name: 'set',
  argument: '[FIELD [VALUE]]',
  help: 'Set a field; without a value take it out; alone show all.',
  complete: (typed, chat) => {
    const [, name] = /^(\S+)\s/.exec(typed) ?? []
    const rows = settableFields(chat)
    const row = name === undefined ? undefined : rows[fieldNamed(name, rows)]
    if (name === undefined) return Object.keys(rows).map((one) => `${one} `)
    return choicesOf(row).map((choice) => `${name} ${choice}`)
  },
  run: async (text, chat) => {
    const rows = settableFields(chat)
    if (text === '') return note(chat, `${fieldsText(chat.fields)}\nfields: ${Object.keys(rows).join(', ')}`)
    const [, given = '', value = ''] = /^([^\s=]+)[\s=]*([^]*)$/.exec(text) ?? []
    const name = fieldNamed(given, rows)
    const row = rows[name]
    if (!row) {
      const alike = nameAlike(name, rows)
      const meant = alike === undefined ? suggestion(name, Object.keys(rows)) : ` (did you mean ${alike}?)`
      throw new UsageError(`/set: there is no field ${JSON.stringify(given)}${meant}`)
    }
    const { [name]: _before, ...others } = chat.fields
    chat.fields = value === '' ? others : { ...others, ...(await parsed(name, row, value, chat)) }
    await note(chat, fieldsText(chat.fields))
  },
}

/** The fields of a request, except those that have commands of their own. */
function settableFields({ family }: ChatState): Fields {
  const { messages: _messages, model: _model, stream: _stream, system: _system, ...rows } = family.operation.fields
  return rows
}

/** `--max-tokens` and `max-tokens` mean `max_tokens`. */
function fieldNamed(given: string, rows: Fields): string {
  const flag = given.replace(/^--/, '')
  return Object.keys(rows).find((name) => name === flag || flagName(name) === flag) ?? flag
}

/** @throws UsageError for a value that the field doesn't accept. */
async function parsed(name: string, row: Field, value: string, { context: { io } }: ChatState): Promise<JsonObject> {
  const flagValue = asFlagValue(name, row, value)
  return (await parseFlags({ [name]: row }, new Map([[name, flagValue]]), io, () => `/set ${name}`)) as JsonObject
}

/** The value that commander makes of the same flag on the command line. */
function asFlagValue(name: string, row: Field, value: string): Typed {
  if (value === '@-') throw new UsageError(`/set ${name}: standard input is the terminal; expected a file after @`)
  if (row.kind === 'texts') return textsIn(name, value)
  if (row.kind !== 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  throw refusal(`/set ${name}`, { path: [], found: quote(value), expected: 'true or false' })
}

/** One text, or a JSON array of several. */
function textsIn(name: string, value: string): string[] {
  if (!value.startsWith('[')) return [value]
  const list = parseJson(value, `/set ${name}`)
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list
  throw refusal(`/set ${name}`, { path: [], found: quote(list), expected: 'a text or a JSON array of texts' })
}

function choicesOf(row: Field | undefined): readonly string[] {
  if (row?.kind === 'text') return row.choices ?? []
  if (row?.kind === 'choice or object') return row.words
  return row?.kind === 'boolean' || row?.kind === 'boolean or number' ? ['true', 'false'] : []
}

function fieldsText(fields: JsonObject): string {
  const all = Object.entries(fields)
  if (all.length === 0) return 'no field is set'
  return all.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join('\n')
}
