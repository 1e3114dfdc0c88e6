/** How the choices of an answer ended, and what of that is said in words on standard error. */

import { flagOf } from '../fields/field.ts'
import type { Notices } from '../notices.ts'
import { sanitizeName } from '../io/sanitize.ts'
import type { Delta } from '../stream/delta.ts'

interface Choice {
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

  /**
   * @param title What the answer of a number is called.
   * @param nameOf How a person sets a field of the request.
   */
  constructor(title: (index: number) => string, nameOf: (field: string) => string = flagOf) {
    this.#title = title
    this.#nameOf = nameOf
  }

  note(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if (!('index' in delta)) continue
      const choice = this.#choice(delta.index)
      if (delta.type === 'text') choice.text += delta.text
      else if (delta.type === 'refusal') choice.refusal += delta.text
      else if (delta.type === 'reasoning') choice.hasReasoning = true
      else if (delta.type === 'tool') choice.hasToolCalls = true
      else if (delta.type === 'end') choice.reason = delta.reason
    }
  }

  /** The choices' texts in order; a choice that only calls tools has none. */
  texts(): string[] {
    return this.#sorted().flatMap(([, { text, hasToolCalls }]) => (text === '' && hasToolCalls ? [] : [text]))
  }

  /** Tells of those choices only that have ended. */
  async report(notices: Notices): Promise<void> {
    for (const [index, choice] of this.#sorted()) {
      if (choice.reason === undefined) continue
      const subject = this.#choices.size > 1 ? lowerFirst(this.#title(index)) : 'the answer'
      const words = wordsFor(choice, this.#nameOf)
      // A refusal is what the model had to say: no quiet may swallow it.
      if (words && choice.refusal !== '') await notices.warn(`${subject} ${words}`)
      else if (words) await notices.info(`${subject} ${words}`)
    }
  }

  #sorted(): [number, Choice][] {
    return [...this.#choices].sort(([a], [b]) => a - b)
  }

  #choice(index: number): Choice {
    const known = this.#choices.get(index)
    if (known) return known
    const choice = { text: '', refusal: '', hasReasoning: false, hasToolCalls: false, reason: undefined }
    this.#choices.set(index, choice)
    return choice
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Finish reasons of the chat and text families, and stop reasons of the messages family, that call for words. */
const words: Readonly<Record<string, string>> = {
  content_filter: "was stopped by the service's content filter",
  refusal: 'was ended by a refusal',
  pause_turn: 'was paused by the service; given back with --messages, it goes on',
  model_context_window_exceeded: "was cut at the end of the model's context",
}

function wordsFor(
  { text, refusal, hasReasoning, hasToolCalls, reason = '' }: Choice,
  nameOf: (field: string) => string,
): string | undefined {
  if (refusal !== '') return `is a refusal: ${sanitizeName(refusal)}`
  if (Object.hasOwn(words, reason)) return words[reason]
  const isEmpty = text === '' && !hasToolCalls
  if (reason !== 'length' && reason !== 'max_tokens') return isEmpty ? 'is empty' : undefined
  const longer = nameOf('max_tokens')
  if (!isEmpty) return `was cut at the limit of tokens; ${longer} raises it`
  const use = hasReasoning ? 'the reasoning used the whole budget of tokens' : 'the limit of tokens left no room'
  // Of the messages family the one limit is `max_tokens`, reasoning included.
  const all = reason === 'length' ? `${nameOf('max_completion_tokens')} or ${longer}` : longer
  return `is empty: ${use}; ${all} raises it`
}
