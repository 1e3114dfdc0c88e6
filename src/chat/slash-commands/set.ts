/** /set: the fields of the next requests. */

import { effortsOf } from '../../api/models.ts'
import { UsageError } from '../../errors.ts'
import { flagName, type Fields } from '../../fields/field.ts'
import { kindOf, specifiedEfforts } from '../../fields/kinds.ts'
import { similarField } from '../../fields/request-variants.ts'
import type { Json, JsonObject } from '../../io/json/json.ts'
import { didYouMean, suggestion } from '../../fields/nearest.ts'
import { parseFlag } from '../../fields/parse.ts'
import { checkEffort } from '../../models/efforts.ts'
import { currentModel, currentModelName } from '../answer.ts'
import type { ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

/** Whose values depend on the model. */
const effort = 'reasoning_effort'

export const set: SlashCommand = {
  name: 'set',
  argument: '[FIELD [VALUE]]',
  takesText: true,
  help: 'Set a request field; without VALUE, unset it; alone, list.',
  scope: /^\S+\s+/,
  complete: async (scope, chat) => {
    const rows = settableFields(chat)
    if (scope === '') return Object.entries(rows).map(([name, { help }]) => ({ text: `${name} `, help }))
    const name = resolveFieldName(scope.trimEnd(), rows)
    const row = rows[name]
    const words =
      name === effort
        ? (effortsOf(chat.context.catalog.cachedModels(), await currentModelName(chat)) ?? specifiedEfforts)
        : row && kindOf(row).words?.(row)
    return (words ?? []).map((text) => ({ text }))
  },
  run: async (text, chat) => {
    const rows = settableFields(chat)
    if (text === undefined) return `${fieldsText(chat.fields)}\navailable: ${Object.keys(rows).join(', ')}`
    const [, given = '', value = ''] = /^([^\s=]+)[\s=]*([^]*)$/.exec(text) ?? []
    const name = resolveFieldName(given, rows)
    const row = rows[name]
    if (!row) {
      const other = similarField(name, rows)
      const similar = other === undefined ? suggestion(name, Object.keys(rows)) : didYouMean(other)
      throw new UsageError(`/set: unknown field ${JSON.stringify(given)}${similar}`, {
        hint: 'use /set to list the fields',
      })
    }
    const { [name]: _previous, ...others } = chat.fields
    const where = `/set ${name}`
    const parsed = value === '' ? undefined : ((await parseFlag(row, where, value, chat.context.io)) as Json)
    if (name === effort && parsed !== undefined) {
      await checkEffort(value, await currentModel(chat), chat.context.catalog, { where })
    }
    chat.fields = parsed === undefined ? others : { ...others, [name]: parsed }
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

function fieldsText(fields: JsonObject): string {
  const all = Object.entries(fields)
  if (all.length === 0) return 'no fields set'
  return all.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join('\n')
}
