import { readAnswerFormat } from '../../answer/format.ts'
import { headValues } from '../../fields/body.ts'
import { readPrompt } from '../../fields/document.ts'
import { acceptingAnyModel } from '../../fields/field.ts'
import { type PromptText, storedPrompt } from '../../fields/prompt-file.ts'
import { formatOptions, inputOptions } from '../../fields/request-options.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { asPasted } from '../../terminal/line-editor/pasted-at.ts'
import { readNamed } from '../attachments.ts'
import type { ChatState, Draft } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

/** Sends the text of a stored prompt, filled with what is typed after its name. */
export function promptCommand(name: string, help: string): SlashCommand {
  return {
    name,
    argument: '[TEXT]',
    takesText: 'marked',
    help,
    run: async (typed = '', chat) => {
      const path = storedPrompt(name, chat.context.io)
      const prompt = await readNamed(path, chat, (io) => readPrompt(`@${path}`, `/${name}`, io))
      const once = await readHead(prompt, chat)
      const [pairs = ''] = /^(--[^\s=]+=("[^"]*"|'[^']*'|\S*)(\s+|$))*/.exec(typed) ?? []
      const vars = Array.from(pairs.matchAll(/--(\S+?=)(?:"([^"]*)"|'([^']*)'|(\S*))\s*/gy), ([, ...all]) =>
        all.join(''),
      )
      const { inputTemplate } = await import('../../input/template.ts')
      // An `@` in the file attaches nothing.
      const template = inputTemplate({ ...prompt, name, vars, text: asPasted(prompt.text) })
      const words = template.fill(typed.slice(pairs.length).replace(/^--(\s+|$)/, ''))
      return words.trim() === '' ? `no text in ${path}` : { kind: 'message', words, once }
    },
  }
}

/** What the command line does not set. @throws UsageError naming file, line and field. */
async function readHead(prompt: PromptText, { family, context }: ChatState): Promise<Draft['once']> {
  const { options, settings } = context
  const { fields } = family.operation
  const rows = settings.anyModel ? acceptingAnyModel(fields) : fields
  const given = new Map(Object.keys({ ...context.fields, ...options }).map((name) => [name, true]))
  const head = await headValues(prompt, rows, { ...inputOptions, ...formatOptions }, given)
  const { model, ...others } = head.fields as JsonObject & { model?: string }
  const { system, schema } = head.options as { system?: string[]; schema?: JsonObject }
  const format = schema && (await readAnswerFormat({ ...options, schema }, {}))
  const sent = { ...others, ...format?.fields }
  return { model, system: system?.join('\n\n'), fields: sent, check: format?.schema?.check }
}
