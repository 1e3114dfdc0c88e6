/** Judges answers: whether what came is what was asked for, what follows if not, and the notices about it on standard error. */

import { offersTools, type StreamingOperation } from '../api/operations.ts'
import { advice, CutShortError, FailedError, type Hint, withMessage } from '../errors.ts'
import { hintWords } from '../hint-words.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Notices } from '../notices.ts'
import { pluralize } from '../io/text/plural.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { type Answer, type AnswerChoice, isEmpty as isEmptyChoice } from '../stream/answer.ts'
import { finishKind } from '../stream/finish-reason.ts'

/** What is not what was asked for. */
export type ProblemCode =
  | 'cut_call'
  | 'empty'
  | 'filtered'
  | 'missing_choices'
  | 'refused'
  | 'schema_mismatch'
  | 'token_limit'
  | 'unoffered_call'

/** What follows an answer that has the problem, beside the error. */
export interface Consequence {
  /** Whether the same request is sent once more, since the service may answer it then. */
  readonly isAskedAgain?: boolean
  /** Whether the answer is sent back with what is wrong, if `--repair` says so. */
  readonly isRepaired?: boolean
  /** With what a later run of a batch sends a row again that has no whole answer (default: nothing). */
  readonly rowNeeds?: 'a higher limit' | '--retry-empty'
}

export const consequences: Readonly<Partial<Record<ProblemCode, Consequence>>> = {
  empty: { isAskedAgain: true, rowNeeds: '--retry-empty' },
  missing_choices: { rowNeeds: '--retry-empty' },
  schema_mismatch: { isRepaired: true },
  token_limit: { rowNeeds: 'a higher limit' },
  unoffered_call: { isRepaired: true, rowNeeds: '--retry-empty' },
}

/** How an answer ended, if that is worth saying. */
interface End {
  /** `undefined` for one that is neither empty nor cut off at a limit of tokens. */
  readonly code?: ProblemCode
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
  /** Its texts are needed only to check them. */
  readonly answer: Answer
  readonly operation: Pick<StreamingOperation, 'endsAtLimit' | 'choiceCount'>
  /** The request's body. */
  readonly body: JsonObject
  readonly view?: TitledView
  /** If the answer is checked: gets its JSON, by choice. */
  readonly json?: Map<number, string> | undefined
}

export interface Problem {
  readonly code: ProblemCode
  readonly error: CutShortError | FailedError
  /** What does not match the schema. */
  readonly content?: string
}

/** @returns the JSON in a text. @throws FailedError if it is not what was asked for. */
export type AnswerCheck = (text: string, signal?: AbortSignal) => Promise<string>

export interface AnswerOutcome {
  /** Whether its calls are run. */
  readonly runsCalls: boolean
  /** Why it is not taken. */
  readonly problem?: Problem | undefined
  /** Why it is not whole, also where it is taken as it is. */
  readonly part?: Problem | undefined
}

interface JudgeOptions {
  /** Whether calls of tools are run. */
  readonly runsTools: boolean
  /** Whether an answer that is empty or cut off is an error. */
  readonly mustBeWhole: boolean
  readonly check?: AnswerCheck | undefined
}

/** Says whether an answer is what was asked for. Nothing else does. @throws the signal's reason. */
export async function outcomeOf(ended: EndedAnswer, options: JudgeOptions): Promise<AnswerOutcome> {
  const { runsTools, mustBeWhole, check } = options
  const { answer, json } = ended
  if (runsTools && answer.callsTools) return { runsCalls: true }
  const part = incompleteness(ended)
  if (runsTools && (answer.choice(0)?.calls.size ?? 0) > 0) {
    const error = part?.error ?? new CutShortError('the answer ended before its calls could be run')
    return { runsCalls: false, part, problem: { code: 'cut_call', error } }
  }
  if (part && mustBeWhole) return { runsCalls: false, part, problem: part }
  for (const [index, choice] of check ? answer.choices : []) {
    const isCall = callsUnoffered(choice, ended.body)
    if (!check || (isCallOnly(choice) && !isCall)) continue
    // The arguments of several calls are no JSON.
    const content = isCall ? [...choice.calls.values()].map((call) => call.arguments).join('\n') : choice.text
    const found = await checkJson(content, check)
    if (typeof found === 'string') json?.set(index, found)
    else if (!isCall) {
      const kind = finishKind(choice.finishReason ?? '')
      const stopped = kind === 'filtered' ? 'filtered' : kind === 'refusal' ? 'refused' : found.code
      return { runsCalls: false, part, problem: { ...found, code: stopped } }
    } else {
      const error = withMessage(found.error, `the answer ${unofferedText(choice.calls)}: ${found.error.message}`)
      return { runsCalls: false, part, problem: { ...found, code: 'unoffered_call', error } }
    }
  }
  return { runsCalls: false, part }
}

function unofferedText(calls: AnswerChoice['calls']): string {
  const [{ name = '' } = {}] = calls.values()
  return `calls the tool ${sanitizeName(name)}, which was not offered`
}

/** The answer does not match: each problem is a line, at most ten, if all were asked for. */
export class SchemaMismatchError extends FailedError {
  readonly problems: string

  constructor(problems: string) {
    super(`the answer does not match the schema: ${problems.split('\n', 1)[0]}`)
    this.problems = problems
  }
}

/** @returns the JSON in a text, or why it is not what was asked for. @throws as the check, but for a FailedError. */
export async function checkJson(content: string, check: AnswerCheck): Promise<string | Problem> {
  try {
    return await check(content)
  } catch (error) {
    if (!(error instanceof FailedError)) throw error
    return { code: 'schema_mismatch', error, content }
  }
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

function incompleteness(ended: EndedAnswer): Problem | undefined {
  const [subject, end] = ended.operation.endsAtLimit ? [] : (endsOf(ended).find(([, { code }]) => code) ?? [])
  return end?.code && { code: end.code, error: new CutShortError(`${subject} ${end.text}`, { hint: end.hint }) }
}

function endsOf(ended: EndedAnswer): [subject: string, end: End][] {
  const { answer, operation, body } = ended
  const { choices } = answer
  const expected = operation.choiceCount(body)
  const ends = choices.flatMap(([index, choice]): [string, End][] => {
    const end = choice.finishReason === undefined ? undefined : choiceEnd(choice, ended)
    return end ? [[choices.length > 1 ? lowerFirst(titleOf(index, ended.view)) : 'the answer', end]] : []
  })
  if (choices.length >= expected) return ends
  const text = `sent ${choices.length} of ${pluralize(expected, 'answer')}`
  return [['the service', { code: choices.length === 0 ? 'empty' : 'missing_choices', text }], ...ends]
}

/** Whether a choice is nothing but a call, though the request offers no tools. */
export function callsUnoffered(choice: AnswerChoice, body: JsonObject): boolean {
  return isCallOnly(choice) && !offersTools(body)
}

function isCallOnly({ hasText, calls }: AnswerChoice): boolean {
  return !hasText && calls.size > 0
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

function choiceEnd(choice: AnswerChoice, { operation, body, json }: EndedAnswer): End | undefined {
  const { refusal, hasReasoning, calls, finishReason: reason = '' } = choice
  const isEmpty = isEmptyChoice(choice)
  const ending = (code: ProblemCode, text: string): End => ({ ...(isEmpty && { code }), text })
  if (refusal !== '') return ending('refused', `is a refusal: ${sanitizeName(refusal)}`)
  const kind = finishKind(reason)
  if (kind === 'paused') {
    const hint = advice`send it back with ${{ code: 'fields', names: ['messages'] }} to continue`
    return { text: 'was paused by the service', hint }
  }
  if (kind === 'filtered') return ending('filtered', "was stopped by the service's content filter")
  if (kind === 'refusal') return ending('refused', 'ended with a refusal')
  const code = 'token_limit'
  const state = isEmpty ? 'is empty' : 'was cut off'
  if (kind === 'window') return { code, text: `${state}: the model's context window is full` }
  if (kind !== 'limit') {
    if (isEmpty) return { code: 'empty', text: state }
    // With a schema, its arguments may be the answer: else the check says it.
    if (json || !callsUnoffered(choice, body)) return undefined
    return { code: 'unoffered_call', text: unofferedText(calls) }
  }
  const limits = limitFields.filter((field) => (body[field] ?? null) !== null)
  // Completions have a limit by default.
  if (operation.endsAtLimit && limits.length === 0) limits.push('max_tokens')
  if (limits.length === 0) {
    const text = `${state}: the model's context window is full, or the service limits answers`
    const hint = advice`shorten the prompt, or ask for more with ${{ code: 'fields', names: ['max_tokens'] }}`
    return { code, text, hint }
  }
  const hint = advice`raise it with ${{ code: 'fields', names: limits }}`
  if (!isEmpty) return { code, text: 'was cut off at the token limit', hint }
  const cause = hasReasoning ? 'the reasoning used up the token limit' : 'the token limit was reached first'
  return { code, text: `is empty: ${cause}`, hint }
}
