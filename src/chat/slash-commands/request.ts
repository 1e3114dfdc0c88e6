/** Commands that change what is asked from the next message on. */

import { UsageError } from '../../errors.ts'
import { flagName, type Field, type Fields } from '../../fields/field.ts'
import { kindOf, modelAliases } from '../../fields/kinds.ts'
import { nameAlike } from '../../fields/request-variants.ts'
import type { JsonObject } from '../../io/json.ts'
import { suggestion } from '../../fields/nearest.ts'
import { parseFlags } from '../../fields/parse.ts'
import { currentModelName } from '../answer.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './command.ts'

const model: SlashCommand = {
  name: 'model',
  argument: '[NAME]',
  help: 'Ask this model from here on; alone tells which one it is.',
  complete: modelNames,
  run: async (name, chat) => {
    if (name !== '') {
      await checkModel(name, '/model', chat)
      chat.model = name
    }
    chat.toldModel = await currentModelName(chat)
    await note(chat, `the model is ${chat.toldModel}`)
  },
}

/** @throws UsageError for what can't be the name of a model. */
export async function checkModel(name: string, command: string, { family, context }: ChatState): Promise<void> {
  const { model: row } = family.operation.fields
  if (row) await parseFlags({ model: row }, new Map([['model', name]]), context.io, () => command)
}

/** Aliases first: they stay. */
export async function modelNames(_typed: string, { context: { catalogue } }: ChatState): Promise<string[]> {
  const fetched = await catalogue.modelsAside()
  const known = fetched.length > 0 ? fetched : await catalogue.remembered()
  const listed = known.filter(({ isEmbedding }) => !isEmbedding).map(({ id }) => id)
  return [...new Set([...modelAliases, ...listed])]
}

const system: SlashCommand = {
  name: 'system',
  argument: '[TEXT]',
  help: 'Give an instruction, or "" for none; alone shows it.',
  run: async (text, chat) => {
    if (text !== '') chat.system = text === '""' ? '' : text
    const held = chat.system ?? chat.session.system
    await note(chat, held ? `the instruction is: ${held}` : 'there is no instruction')
  },
}

const set: SlashCommand = {
  name: 'set',
  argument: '[FIELD [VALUE]]',
  help: 'Set a field; without a value take it out; alone show all.',
  complete: (typed, chat) => {
    const [, name] = /^(\S+)\s/.exec(typed) ?? []
    const rows = settable(chat)
    const row = name === undefined ? undefined : rows[rowName(name, rows)]
    if (name === undefined) return Object.keys(rows).map((one) => `${one} `)
    return (row ? (kindOf(row).words?.(row) ?? []) : []).map((word) => `${name} ${word}`)
  },
  run: async (text, chat) => {
    if (text === '') return note(chat, `${fieldsText(chat.fields)}\nfields: ${Object.keys(settable(chat)).join(', ')}`)
    const [, given = '', value = ''] = /^([^\s=]+)[\s=]*([^]*)$/.exec(text) ?? []
    const rows = settable(chat)
    const name = rowName(given, rows)
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

export const requestCommands = [model, system, set]

/** The fields of a request but those that have commands of their own. */
function settable({ family }: ChatState): Fields {
  const { messages: _messages, model: _model, stream: _stream, system: _system, ...rows } = family.operation.fields
  return rows
}

/** `--max-tokens` and `max-tokens` mean `max_tokens`. */
function rowName(given: string, rows: Fields): string {
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
