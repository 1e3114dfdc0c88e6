/** /set: the fields of the next requests. */

import { UsageError } from '../../errors.ts'
import { flagName, type Field, type Fields } from '../../fields/field.ts'
import { kindOf } from '../../fields/kinds.ts'
import { similarField } from '../../fields/request-variants.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { suggestion } from '../../fields/nearest.ts'
import { parseFlags } from '../../fields/parse.ts'
import type { ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const set: SlashCommand = {
  name: 'set',
  argument: '[FIELD [VALUE]]',
  takesText: true,
  help: 'Set a request field; without VALUE, unset it; alone, list.',
  scope: /^\S+\s+/,
  complete: (scope, chat) => {
    const rows = settableFields(chat)
    if (scope === '') return Object.entries(rows).map(([name, { help }]) => ({ text: `${name} `, help }))
    const row = rows[resolveFieldName(scope.trimEnd(), rows)]
    return (row ? (kindOf(row).words?.(row) ?? []) : []).map((text) => ({ text }))
  },
  run: async (text, chat) => {
    const rows = settableFields(chat)
    if (text === undefined) return `${fieldsText(chat.fields)}\navailable: ${Object.keys(rows).join(', ')}`
    const [, given = '', value = ''] = /^([^\s=]+)[\s=]*([^]*)$/.exec(text) ?? []
    const name = resolveFieldName(given, rows)
    const row = rows[name]
    if (!row) {
      const other = similarField(name, rows)
      const similar = other === undefined ? suggestion(name, Object.keys(rows)) : ` (did you mean ${other}?)`
      throw new UsageError(`/set: unknown field ${JSON.stringify(given)}${similar}`, {
        hint: 'use /set to list the fields',
      })
    }
    const { [name]: _previous, ...others } = chat.fields
    chat.fields = value === '' ? others : { ...others, ...(await parseValue(name, row, value, chat)) }
    return fieldsText(chat.fields)
  },
}

/** The request fields without a command of their own. */
function settableFields({ family }: ChatState): Fields {
  const { messages: _messages, model: _model, stream: _stream, system: _system, ...rows } = family.operation.fields
  return rows
}

/** Accepts `--max-tokens` and `max-tokens` for `max_tokens`. */
function resolveFieldName(given: string, rows: Fields): string {
  const flag = given.replace(/^--/, '')
  return Object.keys(rows).find((name) => name === flag || flagName(name) === flag) ?? flag
}

/** @throws UsageError for an invalid value. */
async function parseValue(
  name: string,
  row: Field,
  value: string,
  { context: { io } }: ChatState,
): Promise<JsonObject> {
  return (await parseFlags({ [name]: row }, new Map([[name, value]]), io, () => `/set ${name}`)) as JsonObject
}

function fieldsText(fields: JsonObject): string {
  const all = Object.entries(fields)
  if (all.length === 0) return 'no fields set'
  return all.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join('\n')
}
