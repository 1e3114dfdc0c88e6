/** An answer of the conversation as it is shown when it arrives: its reasoning, then its text, of each choice. */

import { chooseFilter, chooseReasoningFilter } from '../answer/choose-printer.ts'
import { titleOf } from '../answer/outcome.ts'
import type { AnswerNode } from '../conversation/conversation.ts'
import { messageReasoning } from '../conversation/message.ts'
import { fullText } from '../conversation/transcript.ts'
import { noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { filterText, type TextFilter } from '../terminal/text-filter.ts'
import type { ChatState } from './state.ts'

/** @param margin The columns that the caller puts before each line. @throws the reason when the user stops it. */
export function renderAnswer(text: string, chat: ChatState, margin = 0): Promise<SafeText> {
  const { context, style, isRaw } = chat
  return filtered(text, chooseFilter(isRaw, context.io, context.io.out, style, margin)(), chat)
}

/**
 * The parts to print, without line feeds at their ends. Each of several choices has a heading.
 * @param view With `hasText: false`, only the reasoning.
 * @throws as `renderAnswer`.
 */
export async function answerParts(answer: AnswerNode, chat: ChatState, { hasText = true } = {}): Promise<SafeText[]> {
  const { style, isRaw, context } = chat
  const newReasoningFilter = chooseReasoningFilter({ raw: isRaw }, context.io, context.io.out)
  const choices = [answer.message, ...answer.otherChoices]
  const parts: SafeText[] = []
  for (const [index, message] of choices.entries()) {
    const heading = choices.length > 1 ? safe`${style.bold(sanitizeName(titleOf(index)))}\n` : noText
    const reasoning = style.dim(await filtered(messageReasoning(message), newReasoningFilter(), chat))
    const text = hasText ? await renderAnswer(fullText(message), chat) : noText
    const [first = noText, ...others] = [reasoning, text].filter(Boolean)
    parts.push(safe`${heading}${first}`, ...others)
  }
  if (hasText && answer.error !== undefined) parts.push(style.dim(sanitizeName(`[incomplete: ${answer.error}]`)))
  return parts.filter((part) => part !== '')
}

async function filtered(text: string, filter: TextFilter, { context, signal }: ChatState): Promise<SafeText> {
  return (await filterText(text, filter, AbortSignal.any([context.io.signal, signal]))).trimEnd()
}
