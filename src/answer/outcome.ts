/** How the choices of an answer ended, and the notices about it on standard error. */

import type { StreamingOperation } from '../api/operations.ts'
import { advice, CutShortError, type Hint } from '../errors.ts'
import { hintWords } from '../hint-words.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Notices } from '../notices.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import type { AnswerChoice, Answer } from '../stream/answer.ts'
import { finishKind } from '../stream/finish-reason.ts'

/** How an answer ended, if that is worth saying. */
interface End {
  /** Neither empty nor cut off at a limit of tokens. */
  readonly isWhole: boolean
  /** `was cut off at the token limit`, to follow the name of the answer. */
  readonly text: string
  /** What the user can do: `raise it with --max-tokens` */
  readonly hint?: Hint
}

/** `title` makes the heading of one of several answers (default: `Answer 2`). */
export interface TitledView {
  readonly title?: (index: number) => string
}

/** An answer that has ended, and what it answers. */
interface EndedAnswer {
  /** Its texts are not needed. */
  readonly answer: Answer
  readonly operation: Pick<StreamingOperation, 'endsAtLimit'>
  /** The request's body. */
  readonly body: JsonObject
  readonly view?: TitledView
}

export type AnswerOutcome =
  /** Its calls are run. */
  | { readonly kind: 'calls' }
  /** It is taken as it is. */
  | { readonly kind: 'whole' }
  /** `isCutCall`: a call was cut off, which is not run, and without it there may be no text. */
  | { readonly kind: 'incomplete'; readonly error: CutShortError; readonly isCutCall: boolean }

/** What follows an answer. @param rules Whether calls of tools are run; whether an answer that is empty or cut off is an error. */
export function outcomeOf(ended: EndedAnswer, rules: { runsTools: boolean; mustBeWhole: boolean }): AnswerOutcome {
  const { runsTools, mustBeWhole } = rules
  const { answer } = ended
  if (runsTools && answer.callsTools) return { kind: 'calls' }
  const isCutCall = runsTools && (answer.choice(0)?.calls.size ?? 0) > 0
  const error = isCutCall || mustBeWhole ? incompleteError(ended) : undefined
  if (error) return { kind: 'incomplete', error, isCutCall }
  if (!isCutCall) return { kind: 'whole' }
  return { kind: 'incomplete', error: new CutShortError('the answer ended before its calls could be run'), isCutCall }
}

/**
 * Writes a notice for each choice that ended unusually. A choice without an end is not reported.
 * @param canBeHidden Whether --quiet hides them: not with a text, which does not say itself that it is cut off.
 */
export async function reportEnds(ended: EndedAnswer, notices: Notices, canBeHidden: boolean): Promise<void> {
  for (const [subject, { text, hint = '' }] of endsOf(ended)) {
    const notice = hintWords([`${subject} ${text}`, hint], notices.voice)
    if (canBeHidden) await notices.info(notice)
    else await notices.warn(notice)
  }
}

/** @returns the error for an answer of which a choice is empty or cut off at a limit of tokens; `undefined` if it is whole. */
function incompleteError(ended: EndedAnswer): CutShortError | undefined {
  if (ended.operation.endsAtLimit) return undefined
  const [subject, end] = endsOf(ended).find(([, { isWhole }]) => !isWhole) ?? []
  return end && new CutShortError(`${subject} ${end.text}`, { hint: end.hint })
}

function endsOf(ended: EndedAnswer): [subject: string, end: End][] {
  const { choices } = ended.answer
  return choices.flatMap(([index, choice]): [string, End][] => {
    const end = choice.finishReason === undefined ? undefined : choiceEnd(choice, ended)
    return end ? [[choices.length > 1 ? lowerFirst(titleOf(index, ended.view)) : 'the answer', end]] : []
  })
}

/** The heading of one of several answers. */
export function titleOf(index: number, { title }: TitledView = {}): string {
  return title?.(index) ?? `Answer ${index + 1}`
}

/** A title within a sentence. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** The fields that limit the tokens of an answer: section 2.1, and `max_tokens` alone for messages (section 2.4). */
const limitFields = ['max_completion_tokens', 'max_tokens']

function choiceEnd(
  { hasText, refusal, hasReasoning, calls, finishReason: reason = '' }: AnswerChoice,
  { operation, body }: EndedAnswer,
): End | undefined {
  const isEmpty = !hasText && calls.size === 0
  if (refusal !== '') return { isWhole: !isEmpty, text: `is a refusal: ${sanitizeName(refusal)}` }
  const kind = finishKind(reason)
  if (kind === 'paused') {
    const hint = advice`send it back with ${{ code: 'fields', names: ['messages'] }} to continue`
    return { isWhole: true, text: 'was paused by the service', hint }
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
    const text = `${state}: the model's context window is full, or the service limits answers`
    const hint = advice`shorten the prompt, or ask for more with ${{ code: 'fields', names: ['max_tokens'] }}`
    return { isWhole: false, text, hint }
  }
  const hint = advice`raise it with ${{ code: 'fields', names: limits }}`
  if (!isEmpty) return { isWhole: false, text: 'was cut off at the token limit', hint }
  const cause = hasReasoning ? 'the reasoning used up the token limit' : 'the token limit was reached first'
  return { isWhole: false, text: `is empty: ${cause}`, hint }
}
