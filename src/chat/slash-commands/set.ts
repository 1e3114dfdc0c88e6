/** /set: the fields of the requests to come. */

import { UsageError } from '../../errors.ts'
import { flagName, type Field, type Fields } from '../../fields/field.ts'
import { kindOf } from '../../fields/kinds.ts'
import { similarField } from '../../fields/request-variants.ts'
import type { JsonObject } from '../../io/json.ts'
import { suggestion } from '../../fields/nearest.ts'
import { parseFlags } from '../../fields/parse.ts'
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
    return (row ? (kindOf(row).words?.(row) ?? []) : []).map((word) => `${name} ${word}`)
  },
  run: async (text, chat) => {
    const rows = settableFields(chat)
    if (text === '') return note(chat, `${fieldsText(chat.fields)}\nfields: ${Object.keys(rows).join(', ')}`)
    const [, given = '', value = ''] = /^([^\s=]+)[\s=]*([^]*)$/.exec(text) ?? []
    const name = fieldNamed(given, rows)
    const row = rows[name]
    if (!row) {
      const alike = similarField(name, rows)
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
  if (value === '@-') throw new UsageError(`/set ${name}: standard input is the terminal; expected a file after @`)
  return (await parseFlags({ [name]: row }, new Map([[name, value]]), io, () => `/set ${name}`)) as JsonObject
}

function fieldsText(fields: JsonObject): string {
  const all = Object.entries(fields)
  if (all.length === 0) return 'no field is set'
  return all.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join('\n')
}
