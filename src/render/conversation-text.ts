/** A conversation to be read: by a person, or as Markdown. */

import { harmless, harmlessName } from '../io/harmless.ts'
import type { Sink } from '../io/io.ts'
import type { Style } from './style.ts'

export interface Said {
  readonly role: string
  readonly model?: string | undefined
  readonly text: string
  readonly error?: string | undefined
}

/** Roles as headings. */
export function conversationText(
  said: readonly Said[],
  { isTerminal }: Pick<Sink, 'isTerminal'>,
  style: Style,
): string {
  const shownName = isTerminal ? harmlessName : (text: string): string => text
  const parts = said.map(({ role, model, text, error }) => {
    const asked = model === undefined ? '' : ` ${style.dim(shownName(model))}`
    const lines = [`${style.bold(shownName(title(role)))}${asked}`]
    if (text !== '') lines.push(withoutEnd(isTerminal ? harmless(text) : text))
    if (error !== undefined) lines.push(style.dim(shownName(`[not whole: ${error}]`)))
    return `${lines.join('\n')}\n`
  })
  return parts.join('\n')
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
