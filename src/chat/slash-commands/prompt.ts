import { readResponseFormat } from '../../answer/response-format.ts'
import { UsageError } from '../../errors.ts'
import { readPrompt } from '../../fields/document.ts'
import { acceptingAnyModel } from '../../fields/field.ts'
import { invalidValue } from '../../fields/problem.ts'
import { type PromptText, trustedPrompt } from '../../fields/prompt-file.ts'
import { formatOptions, inputOptions } from '../../fields/request-options.ts'
import { headValues } from '../../fields/tables.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { quote } from '../../io/json/print.ts'
import { readNamed } from '../attachments.ts'
import { keepAsText } from '../mentions.ts'
import type { ChatState, Draft } from '../state.ts'
import { resolveModel } from '../argument-completion.ts'
import type { SlashCommand } from './slash-command.ts'

/** Sends the text of a stored prompt, filled with what is typed after its name. */
export function promptCommand(name: string, help = ''): SlashCommand {
  return {
    name,
    argument: '[TEXT]',
    takesText: true,
    takesMentions: true,
    help,
    run: async (typed = '', chat) => {
      const path = trustedPrompt(name, chat.context.io)
      const prompt = await readNamed(path, chat, (io) => readPrompt(`@${path}`, `/${name}`, io))
      const once = await readHead(prompt, chat)
      const pairs = [
        ...typed.matchAll(/--([^\s=]+=)(?:"([^"]*)(?<!\\)"|'([^']*)(?<!\\)'|([^\s\\\p{QMark}]*))(?:\s+|$)/guy),
      ]
      const rest = typed.slice(pairs.map(([pair]) => pair).join('').length)
      const expected = '--NAME=VALUE, with quotes around a value with spaces, quotes or a backslash'
      if (/^--[^\s=]+=/.test(rest)) throw invalidValue(`/${name}`, { path: [], found: quote(rest), expected })
      const vars = pairs.map(([, ...parts]) => parts.join(''))
      const { inputTemplate } = await import('../../input/template.ts')
      const template = inputTemplate({ ...prompt, name, vars })
      const hasAttachment = chat.attachments.length > 0
      const words = template.fill(rest.replace(/^--(\s+|$)/, '') || (hasAttachment ? '' : undefined))
      if (words.trim() === '' && !hasAttachment) throw new UsageError(`prompt ${name}: no text to send`)
      // An `@` in the file attaches nothing.
      keepAsText(words, chat, [...vars, rest].join('\n').replaceAll('=', ' '))
      return { kind: 'message', words, once }
    },
  }
}

/** What the command line does not set, unless /set, /model or /system replaced it. @throws UsageError naming file, line and field. */
async function readHead(prompt: PromptText, chat: ChatState): Promise<Draft['once']> {
  const { fields } = chat.dialect.operation
  const now = { model: chat.model, system: chat.system, ...chat.fields }
  const unchanged = Object.entries(now).filter(([name, one]) => one !== undefined && one === chat.given[name])
  const specs = chat.context.settings.anyModel ? acceptingAnyModel(fields) : fields
  const settable = { fields: specs, options: { ...inputOptions, ...formatOptions } }
  const resolveModelName = (name: string, where: string) => resolveModel(name, where, chat)
  const head = await headValues(prompt, settable, Object.fromEntries(unchanged), resolveModelName)
  const { model, ...others } = head.fields as JsonObject & { model?: string }
  const { system, schema } = head.options as { system?: string[]; schema?: JsonObject }
  const format = schema && (await readResponseFormat({ schema }, {}, chat.context.notices))
  return { model, system: system?.join('\n\n'), fields: { ...others, ...format?.fields }, check: format?.schema?.check }
}
