/** A conversation to be read: by a person, or as Markdown. */

import { harmless, harmlessName } from '../io/harmless.ts'
import type { Sink } from '../io/io.ts'
import type { Style } from '../terminal/style.ts'
import { passThrough, filterText, sanitizingFilter, type TextFilter } from '../terminal/text-filter.ts'

export interface Said {
  readonly role: string
  readonly model?: string | undefined
  readonly text: string
  readonly error?: string | undefined
  /** What is to be known of its place in the conversation. */
  readonly note?: string | undefined
}

/**
 * Roles as headings.
 * @param newForm Makes the form of each answer's text.
 */
export async function conversationText(
  said: readonly Said[],
  { isTerminal }: Pick<Sink, 'isTerminal'>,
  style: Style,
  newForm: () => TextFilter,
): Promise<string> {
  const shownName = isTerminal ? harmlessName : (text: string): string => text
  const parts: string[] = []
  for (const { role, model, text, error, note } of said) {
    const beside = [model, note && `[${note}]`]
      .filter((one) => one !== undefined)
      .map((one) => style.dim(shownName(one)))
    const lines = [[style.bold(shownName(title(role))), ...beside].join(' ')]
    const form = role === 'assistant' ? newForm() : isTerminal ? sanitizingFilter(passThrough) : passThrough
    if (text !== '') lines.push(withoutEnd(await filterText(text, form)))
    if (error !== undefined) lines.push(style.dim(shownName(`[not whole: ${error}]`)))
    parts.push(`${lines.join('\n')}\n`)
  }
  return parts.join('\n')
}

/** Roles as headings, below which those of the texts are headings of a lower level. */
export async function conversationMarkdown(
  heading: string,
  said: readonly Said[],
  { isTerminal }: Pick<Sink, 'isTerminal'>,
): Promise<string> {
  const { subordinate } = await import('./demote-headings.ts')
  const parts = said.map(({ role, text, error, note }) => {
    const whole = error === undefined ? [] : [`*Not whole: ${error}*`]
    const noted = note === undefined ? '' : ` (${note})`
    return [`## ${title(role)}${noted}`, ...(text === '' ? [] : [subordinate(withoutEnd(text), 2)]), ...whole].join(
      '\n\n',
    )
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
