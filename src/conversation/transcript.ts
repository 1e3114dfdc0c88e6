/** The transcript of a conversation, as data and as text for a terminal. */

import {
  joinSafe,
  linesOf,
  replaceSafe,
  noText,
  safe,
  type SafeText,
  sanitizeName,
  textFor,
} from '../io/text/safe-text.ts'
import type { Sink } from '../io/io.ts'
import { objectsIn, type Json, type JsonObject } from '../io/json/json.ts'
import { localTime } from '../io/time/time.ts'
import type { Style } from '../terminal/style.ts'
import { filterText, sanitizingFilter, type TextFilter, unchanged } from '../terminal/text-filter.ts'
import {
  type AnswerNode,
  isAnswered,
  branchMessages,
  type Conversation,
  isSummaryTurn,
  type Node,
  timeOf,
} from './conversation.ts'
import { messageCalls, messageRole, chatMessageText, withSources } from './message.ts'

export interface TranscriptLine {
  /** `system`, `user`, `assistant`, `tool`. */
  readonly role: string
  /** The requested model of an answer. */
  readonly model?: string | undefined
  readonly text: string
  /** In milliseconds since 1970; NaN if unknown. */
  readonly time: number
  /** Why an answer is incomplete. */
  readonly error?: string | undefined
  /** Why it is not on the current branch, or `summary` of the messages before. */
  readonly label?: string | undefined
}

export interface Transcript {
  readonly lines: readonly TranscriptLine[]
  readonly json: Json[]
  /** Says what is omitted, or that there is nothing. */
  readonly notice?: string | undefined
}

/** The current branch; in JSON, messages that can be sent. */
export function currentBranch(conversation: Conversation): Transcript {
  const path = conversation.path()
  return { lines: transcriptLines(path), json: branchMessages(path), notice: noticeOf(conversation, path) }
}

/** All turns and answers in chronological order; in JSON, with their position in the tree. */
export function allBranches(conversation: Conversation): Transcript {
  const { nodes } = conversation
  const path = new Set(conversation.path())
  const standingOf = (node: Node): Standing => (path.has(node) ? 'current' : 'on another branch')
  return {
    lines: nodes.flatMap((node) => linesWithChoices(node, labelOf(node, standingOf(node)))),
    json: nodes.map((node) => recordOf(node, standingOf(node))),
    notice: nodes.length === 0 ? noticeOf(conversation, []) : undefined,
  }
}

/** One line for each message and the first choice of each answer; none for a request for a summary. */
export function transcriptLines(nodes: readonly Node[]): TranscriptLine[] {
  return nodes.flatMap((node): TranscriptLine[] => {
    if (node.type === 'answer') return [answerLine(node.message, node)]
    const time = timeOf(node)
    const messages = objectsIn(isSummaryTurn(node) ? [] : [...withSources(node.messages, node)]).map((message) => {
      return { role: messageRole(message), text: fullText(message), time }
    })
    return node.system ? [{ role: 'system', text: node.system, time }, ...messages] : messages
  })
}

/** @param label For the first choice of an answer. */
function linesWithChoices(node: Node, label: string | undefined): TranscriptLine[] {
  const first = transcriptLines([node]).map((line) => ({
    ...line,
    label: [line.label, label].filter(Boolean).join(', ') || undefined,
  }))
  if (node.type === 'turn') return first
  return [...first, ...node.otherChoices.map((message) => ({ ...answerLine(message, node), label: 'another choice' }))]
}

function answerLine(message: Json, { model, error, isSummary, ...times }: AnswerNode): TranscriptLine {
  const label = isSummary ? 'summary' : undefined
  return { role: 'assistant', model, text: fullText(message), time: timeOf(times), error, label }
}

/** The text and the tool calls. */
export function fullText(message: Json): string {
  return [chatMessageText(message), ...messageCalls(message)].filter(Boolean).join('\n')
}

/** The values of `standing` in JSON. */
type Standing = 'current' | 'on another branch'

function noticeOf({ id, nodes }: Conversation, path: readonly Node[]): string | undefined {
  const hidden = nodes.filter((node) => node.type === 'answer' && !path.includes(node) && isAnswered(node)).length
  if (hidden === 1) return '1 answer is not shown (undone or on another branch); use --all to show it'
  if (hidden > 1) return `${hidden} answers are not shown (undone or on another branch); use --all to show them`
  if (path.length > 0) return undefined
  return nodes.length === 0
    ? `conversation ${id} is empty`
    : `everything in conversation ${id} was undone; use --all to show it`
}

/** `undefined` for an answer without content: its error says enough. */
function labelOf(node: Node, standing: Standing): string | undefined {
  if (standing === 'current' || (node.type === 'answer' && !isAnswered(node))) return undefined
  return standing
}

function recordOf(node: Node, standing: Standing): JsonObject {
  const { type, id, parent = null, at } = node
  const common = { type, id, parent, at, standing }
  if (node.type === 'turn') {
    return {
      ...common,
      ...(node.system !== undefined && { system: node.system }),
      messages: [...withSources(node.messages, node)],
    }
  }
  const { model, message, otherChoices, error } = node
  return {
    ...common,
    ...(model !== undefined && { model }),
    messages: [message, ...otherChoices],
    ...(error !== undefined && { error }),
  }
}

/**
 * Plain or rendered text, with the roles as headings, and on a terminal the times.
 * @param newFilter Makes the text filter for one answer.
 * @throws the signal's reason if it aborts meanwhile.
 */
export async function writeConversation(
  transcript: readonly TranscriptLine[],
  sink: Sink,
  style: Style,
  newFilter: () => TextFilter,
  signal: AbortSignal,
): Promise<void> {
  const isTerminal = sink.isTerminal || style.isForced
  const shownName = (text: string): SafeText => textFor({ isTerminal }, text, sanitizeName)
  const parts: SafeText[] = []
  for (const { role, model, text, time, error, label } of transcript) {
    const shownTime = sink.isTerminal && time ? localTime(time) : undefined
    const details = [model, label && `[${label}]`, shownTime]
      .filter((detail) => detail !== undefined)
      .map((detail) => style.dim(shownName(detail)))
    const lines = [joinSafe([style.bold(shownName(headingOf(role))), ...details], safe` `)]
    const filter = role === 'assistant' ? newFilter() : isTerminal ? sanitizingFilter() : unchanged
    if (text !== '') lines.push(replaceSafe(await filterText(text, filter, signal), /\n+$/, () => noText))
    if (error !== undefined) lines.push(style.dim(shownName(`[incomplete: ${error}]`)))
    parts.push(linesOf(lines))
  }
  await sink.write(joinSafe(parts, safe`\n`))
}

export function headingOf(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1)
}
