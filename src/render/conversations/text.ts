/** A conversation to be read: by a person, or as Markdown. */

import { harmless, harmlessName } from '../../io/harmless.ts'
import type { Sink } from '../../io/io.ts'
import type { Style } from '../style.ts'
import { asItIs, harmlessForm, type TextForm } from '../answer/text-form.ts'

export interface Said {
  readonly role: string
  readonly model?: string | undefined
  readonly text: string
  readonly error?: string | undefined
}

/**
 * Roles as headings.
 * @param newForm Makes the form of each answer's text.
 */
export async function conversationText(
  said: readonly Said[],
  { isTerminal }: Pick<Sink, 'isTerminal'>,
  style: Style,
  newForm: () => TextForm,
): Promise<string> {
  const shownName = isTerminal ? harmlessName : (text: string): string => text
  const parts: string[] = []
  for (const { role, model, text, error } of said) {
    const asked = model === undefined ? '' : ` ${style.dim(shownName(model))}`
    const lines = [`${style.bold(shownName(title(role)))}${asked}`]
    const form = role === 'assistant' ? newForm() : isTerminal ? harmlessForm(asItIs) : asItIs
    if (text !== '') lines.push(withoutEnd(await formed(text, form)))
    if (error !== undefined) lines.push(style.dim(shownName(`[not whole: ${error}]`)))
    parts.push(`${lines.join('\n')}\n`)
  }
  return parts.join('\n')
}

async function formed(text: string, form: TextForm): Promise<string> {
  let shown = form.push(text)
  while (form.loading) {
    await form.loading
    shown += form.push('')
  }
  return shown + form.end()
}

export function conversationMarkdown(
  heading: string,
  said: readonly Said[],
  { isTerminal }: Pick<Sink, 'isTerminal'>,
): string {
  const parts = said.map(({ role, text, error }) => {
    const note = error === undefined ? [] : [`*Not whole: ${error}*`]
    return [`## ${title(role)}`, ...(text === '' ? [] : [withoutEnd(text)]), ...note].join('\n\n')
  })
  const text = `${[`# ${heading}`, ...parts].join('\n\n')}\n`
  return isTerminal ? harmless(text) : text
}

function title(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1)
}

function withoutEnd(text: string): string {
  return text.replace(/\n+$/, '')
}
