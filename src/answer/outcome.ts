/** How the choices of an answer ended, and the notices about it on standard error. */

import type { StreamingOperation } from '../api/operations.ts'
import { CutShortError } from '../errors.ts'
import type { JsonObject } from '../io/json.ts'
import type { Notices } from '../notices.ts'
import { pluralize } from '../io/plural.ts'
import { sanitizeName } from '../io/safe-text.ts'
import type { Delta } from '../stream/delta.ts'
import { finishKind } from '../stream/finish-reason.ts'

interface Choice {
  hasText: boolean
  /** Only if the texts are kept. */
  text: string
  refusal: string
  hasReasoning: boolean
  hasToolCalls: boolean
  reason: string | undefined
}

/** How an answer ended, if that is worth saying. */
interface End {
  /** Neither empty nor cut off at a limit of tokens. */
  readonly isWhole: boolean
  /** `was cut off at the token limit`, to follow the name of the answer. */
  readonly text: string
  /** What the user can do: `raise it with --max-tokens` */
  readonly advice?: string
}

export interface OutcomeOptions {
  readonly operation: Pick<StreamingOperation, 'endsAtLimit'>
  /** The request's body. */
  readonly body: JsonObject
  /** The heading of the answer with this index. */
  title(index: number): string
  /** How the user sets a field of the request. */
  nameOf(field: string): string
  /** Whether `texts` is needed: an answer may be larger than the memory. */
  readonly keepsTexts: boolean
}

export class Outcome {
  readonly #choices = new Map<number, Choice>()
  readonly #options: OutcomeOptions

  constructor(options: OutcomeOptions) {
    this.#options = options
  }

  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if (!('index' in delta)) continue
      const choice = this.#choice(delta.index)
      if (delta.type === 'text') {
        choice.hasText ||= /\S/.test(delta.text)
        if (this.#options.keepsTexts) choice.text += delta.text
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

  /**
   * Writes a notice for each choice that ended unusually. A choice without an end is not reported.
   * @param canBeHidden Whether --quiet hides them: not with a text, which does not say itself that it is cut off.
   */
  async report(notices: Notices, canBeHidden: boolean): Promise<void> {
    for (const [subject, { text, advice }] of this.#ends()) {
      const notice = [`${subject} ${text}`, ...(advice === undefined ? [] : [advice])].join('; ')
      if (canBeHidden) await notices.info(notice)
      else await notices.warn(notice)
    }
  }

  /** @returns the error for an answer of which a choice is empty or cut off at a limit of tokens; `undefined` if it is whole. */
  incomplete(): CutShortError | undefined {
    if (this.#options.operation.endsAtLimit) return undefined
    const [subject, end] = this.#ends().find(([, { isWhole }]) => !isWhole) ?? []
    return end && new CutShortError(`${subject} ${end.text}`, { hint: end.advice })
  }

  #ends(): [subject: string, end: End][] {
    return this.#sorted().flatMap(([index, choice]): [string, End][] => {
      const end = choice.reason === undefined ? undefined : endOf(choice, this.#options)
      return end ? [[this.#choices.size > 1 ? lowerFirst(this.#options.title(index)) : 'the answer', end]] : []
    })
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

/** The fields that limit the tokens of an answer: section 2.1, and `max_tokens` alone for messages (section 2.4). */
const limitFields = ['max_completion_tokens', 'max_tokens']

function endOf(
  { hasText, refusal, hasReasoning, hasToolCalls, reason = '' }: Choice,
  { operation, body, nameOf }: OutcomeOptions,
): End | undefined {
  const isEmpty = !hasText && !hasToolCalls
  if (refusal !== '') return { isWhole: !isEmpty, text: `is a refusal: ${sanitizeName(refusal)}` }
  const kind = finishKind(reason)
  if (kind === 'paused') {
    return {
      isWhole: true,
      text: 'was paused by the service',
      advice: `send it back with ${nameOf('messages')} to continue`,
    }
  }
  if (kind === 'filtered') return { isWhole: !isEmpty, text: "was stopped by the service's content filter" }
  if (kind === 'refusal') return { isWhole: !isEmpty, text: 'ended with a refusal' }
  const state = isEmpty ? 'is empty' : 'was cut off'
  if (kind === 'window') return { isWhole: false, text: `${state}: the model's context window is full` }
  if (kind !== 'limit') return isEmpty ? { isWhole: false, text: state } : undefined
  const limits = limitFields.filter((field) => (body[field] ?? null) !== null)
  // Completions have a limit by default.
  if (operation.endsAtLimit && limits.length === 0) limits.push('max_tokens')
  if (limits.length === 0) {
    return {
      isWhole: false,
      text: `${state}: the model's context window is full, or the service limits answers`,
      advice: `shorten the prompt, or ask for more with ${nameOf('max_tokens')}`,
    }
  }
  const advice = `raise it with ${limits.map(nameOf).join(' and ')}`
  if (!isEmpty) return { isWhole: false, text: 'was cut off at the token limit', advice }
  const cause = hasReasoning ? 'the reasoning used up the token limit' : 'the token limit was reached first'
  return { isWhole: false, text: `is empty: ${cause}`, advice }
}
