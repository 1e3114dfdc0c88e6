/** The slash commands that set what the next requests have: model, system prompt, fields and tools. */

import { safe, sanitizeName } from '../../io/text/safe-text.ts'
import { kindOf } from '../../fields/kinds.ts'
import { modelAliases, specifiedEfforts } from '../../fields/model-facts.ts'
import { suggestion } from '../../fields/suggestion.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { currentModelName, currentModel } from '../answer.ts'
import { resolveModel, completeModel, completePath, existingPath, pathScope } from '../argument-completion.ts'
import type { SlashCommand } from './slash-command.ts'
import { systemOf } from '../../conversation/conversation.ts'
import { readTextArgument } from '../../fields/document.ts'
import { readNamed } from '../attachments.ts'
import { effortsOf } from '../../api/models.ts'
import { UsageError } from '../../errors.ts'
import { flagName, type Fields } from '../../fields/field.ts'
import type { Json, JsonObject } from '../../io/json/json.ts'
import { parseFlag } from '../../fields/parse.ts'
import { checkEffort } from '../../models/efforts.ts'
import { type ChatState, askAgain } from '../state.ts'

const model: SlashCommand = {
  name: 'model',
  synonyms: ['/models', 'models'],
  argument: '[NAME]',
  help: 'Switch to a model; alone, show the current one.',
  complete: completeModel,
  run: async (name, chat) => {
    const chosen = name === undefined ? undefined : await resolveModel(name, '/model', chat)
    chat.model = chosen ?? chat.model
    chat.announcedModel = await currentModelName(chat)
    const text = `model: ${chat.announcedModel}`
    if (chosen === undefined) return text
    const listed = await withSpinner(safe`fetching the model list`, chat.context, () => completeModel('', chat))
    const names = listed.map(({ text }) => text)
    // The service may have models that it does not list. Without a list, only the aliases are known.
    if (names.length <= modelAliases.length || names.includes(chosen)) return text
    return `${text}, which is not in the list of models${suggestion(chosen, names)}`
  },
}

const system: SlashCommand = {
  name: 'system',
  argument: '[TEXT|@FILE]',
  takesText: true,
  help: 'Set the system prompt; "" removes it; alone, show it.',
  scope: new RegExp(`^@${pathScope.source.slice(1)}`),
  complete: (scope, chat) => (scope === '' ? [] : completePath(scope.slice(1), chat)),
  run: async (text, chat) => {
    if (text?.startsWith('@')) {
      const path = existingPath(text.slice(1), chat.context.io)
      const notify = (text: string): Promise<void> => chat.context.notices.info(text)
      chat.system = await readNamed(path, chat, (io) => readTextArgument(`@${path}`, '/system', { ...io, notify }))
    } else if (text !== undefined) chat.system = text === '""' ? '' : text
    const current = chat.system ?? systemOf(chat.session.path)
    return current ? `system prompt: ${current}` : 'no system prompt'
  },
}

/** Whose values depend on the model. */
const effort = 'reasoning_effort'

const set: SlashCommand = {
  name: 'set',
  argument: '[FIELD [VALUE]]',
  takesText: true,
  help: 'Set a request field; without VALUE, unset it; alone, list.',
  scope: /^\S+\s+/,
  complete: async (scope, chat) => {
    const specs = settableFields(chat)
    if (scope === '') return Object.entries(specs).map(([name, { help }]) => ({ text: `${name} `, help }))
    const name = resolveFieldName(scope.trimEnd(), specs)
    const spec = specs[name]
    const words =
      name === effort
        ? (effortsOf(chat.context.catalog.cachedModels(), await currentModelName(chat)) ?? specifiedEfforts)
        : spec && kindOf(spec).words?.(spec)
    return (words ?? []).map((text) => ({ text }))
  },
  run: async (text, chat) => {
    const specs = settableFields(chat)
    if (text === undefined) return `${fieldsText(chat.fields)}\navailable: ${Object.keys(specs).join(', ')}`
    const [, given = '', value = ''] = /^([^\s=]+)[\s=]*([^]*)$/.exec(text) ?? []
    const name = resolveFieldName(given, specs)
    const spec = specs[name]
    if (!spec) {
      const similar = suggestion(name, Object.keys(specs))
      throw new UsageError(`/set: unknown field ${JSON.stringify(given)}${similar}`, {
        hint: 'use /set to list the fields',
      })
    }
    const { [name]: _previous, ...others } = chat.fields
    const where = `/set ${name}`
    const parsed = value === '' ? undefined : ((await parseFlag(spec, where, value, chat.context.io)) as Json)
    if (name === effort && parsed !== undefined) {
      await checkEffort(value, await currentModel(chat), chat.context.catalog, { where })
    }
    chat.fields = parsed === undefined ? others : { ...others, [name]: parsed }
    return fieldsText(chat.fields)
  },
}

/** The request fields without a command of their own. */
function settableFields({ dialect }: ChatState): Fields {
  const { messages: _messages, model: _model, stream: _stream, system: _system, ...rows } = dialect.operation.fields
  return rows
}

/** Accepts `--max-tokens` and `max-tokens` for `max_tokens`. */
function resolveFieldName(given: string, specs: Fields): string {
  const flag = given.replace(/^--/, '')
  return Object.keys(specs).find((name) => name === flag || flagName(name) === flag) ?? flag
}

function fieldsText(fields: JsonObject): string {
  const all = Object.entries(fields)
  if (all.length === 0) return 'no fields set'
  return all.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join('\n')
}

const none = 'no tools; /tools NAME offers one of tools.json, or search'

const tools: SlashCommand = {
  name: 'tools',
  argument: '[NAME]',
  help: 'Offer a tool, or ask about it again; alone, list them.',
  complete: async (_typed, chat) => {
    const { readToolsFile, toolNames } = await import('../../tools/tools-file.ts')
    const file = await readToolsFile(chat.tools.options.toolsFile, chat.context.io)
    return toolNames(file).map((text) => ({ text }))
  },
  run: async (name, chat) => {
    const { tools: own, context } = chat
    const { openTools } = await import('../../tools/open-tools.ts')
    const offered = (own.offered ??= await openTools(own.options, context))
    let shown = offered.tools
    if (name !== undefined) {
      const signal = AbortSignal.any([context.io.signal, chat.signal])
      shown = await withSpinner(safe`starting ${sanitizeName(name)}`, context, () => offered.add(name, signal))
      askAgain(shown)
      own.failed.delete(name)
    }
    const lines = shown.map(({ label, approvedBy }) => {
      if (approvedBy === 'user')
        return `${label}: always allowed in this chat, with any arguments; /tools ${label} asks again`
      return `${label}: ${approvedBy ? 'allowed by --allow' : 'syn asks before each call'}`
    })
    return [...lines, ...(name === undefined ? own.failed.values() : [])].map(sanitizeName).join('\n') || none
  },
}

export const requestCommands: readonly SlashCommand[] = [model, system, set, tools]
