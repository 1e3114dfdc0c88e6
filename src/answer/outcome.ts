/** How the choices of an answer ended, and the notices about it on standard error. */

import type { Notices } from '../notices.ts'
import { pluralize } from '../io/plural.ts'
import { sanitizeName } from '../io/safe-text.ts'
import type { Delta } from '../stream/delta.ts'

interface Choice {
  hasText: boolean
  /** Only if the texts are kept. */
  text: string
  refusal: string
  hasReasoning: boolean
  hasToolCalls: boolean
  reason: string | undefined
}

export class Outcome {
  readonly #choices = new Map<number, Choice>()
  readonly #title: (index: number) => string
  readonly #nameOf: (field: string) => string
  readonly #keepsTexts: boolean

  /**
   * @param title The heading of the answer with this index.
   * @param nameOf How the user sets a field of the request.
   * @param keepsTexts Whether `texts` is needed: an answer may be larger than the memory.
   */
  constructor(title: (index: number) => string, nameOf: (field: string) => string, keepsTexts: boolean) {
    this.#title = title
    this.#nameOf = nameOf
    this.#keepsTexts = keepsTexts
  }

  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if (!('index' in delta)) continue
      const choice = this.#choice(delta.index)
      if (delta.type === 'text') {
        choice.hasText ||= delta.text !== ''
        if (this.#keepsTexts) choice.text += delta.text
      } else if (delta.type === 'refusal') choice.refusal += delta.text
      else if (delta.type === 'reasoning') choice.hasReasoning = true
      else if (delta.type === 'tool') choice.hasToolCalls = true
      else if (delta.type === 'end') choice.reason = delta.reason
    }
  }

  /** The texts of the choices in order, without choices that only call tools. */
  texts(): string[] {
    return this.#sorted().flatMap(([, { text, hasText, hasToolCalls }]) => (hasText || !hasToolCalls ? [text] : []))
  }

  /** Warns if the service, whose reply is complete, sent fewer answers than were asked for. */
  async reportMissing(expected: number, notices: Notices): Promise<void> {
    const count = this.#choices.size
    if (count < expected) await notices.warn(`the service sent ${count} of ${pluralize(expected, 'answer')}`)
  }

  /** Writes a notice for each choice that ended unusually. A choice without an end is not reported. */
  async report(notices: Notices): Promise<void> {
    for (const [index, choice] of this.#sorted()) {
      if (choice.reason === undefined) continue
      const subject = this.#choices.size > 1 ? lowerFirst(this.#title(index)) : 'the answer'
      const text = endText(choice, this.#nameOf)
      // A refusal is the model's answer, so --quiet does not hide it.
      if (text && choice.refusal !== '') await notices.warn(`${subject} ${text}`)
      else if (text) await notices.info(`${subject} ${text}`)
    }
  }

  #sorted(): [number, Choice][] {
    return [...this.#choices].sort(([a], [b]) => a - b)
  }

  #choice(index: number): Choice {
    const known = this.#choices.get(index)
    if (known) return known
    const choice = {
      hasText: false,
      text: '',
      refusal: '',
      hasReasoning: false,
      hasToolCalls: false,
      reason: undefined,
    }
    this.#choices.set(index, choice)
    return choice
  }
}

/** A title within a sentence. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Finish reasons (chat and text completions) and stop reasons (messages) that are reported. */
const reasonTexts: Readonly<Record<string, string>> = {
  content_filter: "was stopped by the service's content filter",
  refusal: 'ended with a refusal',
  model_context_window_exceeded: "was cut off: the model's context window is full",
}

function endText(
  { hasText, refusal, hasReasoning, hasToolCalls, reason = '' }: Choice,
  nameOf: (field: string) => string,
): string | undefined {
  if (refusal !== '') return `is a refusal: ${sanitizeName(refusal)}`
  if (reason === 'pause_turn') return `was paused by the service; send it back with ${nameOf('messages')} to continue`
  if (Object.hasOwn(reasonTexts, reason)) return reasonTexts[reason]
  const isEmpty = !hasText && !hasToolCalls
  if (reason !== 'length' && reason !== 'max_tokens') return isEmpty ? 'is empty' : undefined
  const limit = nameOf('max_tokens')
  if (!isEmpty) return `was cut off at the token limit; raise it with ${limit}`
  const cause = hasReasoning ? 'the reasoning used up the token limit' : 'the token limit was reached first'
  // Messages have one limit, `max_tokens`, which includes reasoning.
  const limits = reason === 'length' ? `${nameOf('max_completion_tokens')} or ${limit}` : limit
  return `is empty: ${cause}; raise it with ${limits}`
}
