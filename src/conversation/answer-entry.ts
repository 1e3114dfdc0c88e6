/** What is stored of an answer: its parts while it arrives, and the whole at its end. */

import type { JsonObject } from '../io/json/json.ts'
import type { AccumulatedChoice, AnswerAccumulator } from '../stream/answer-accumulator.ts'
import { addDelta, isContent, type Delta, type Usage } from '../stream/delta.ts'
import type { Choice, ContentDelta, EntryOf } from './entry.ts'

/** Ordered by index. */
export function choicesOf(accumulated: AnswerAccumulator): Choice[] {
  return accumulated.choices.map(([index, choice]) => {
    return { index, message: assistantMessage(choice), finish_reason: choice.finishReason ?? null }
  })
}

/**
 * The entry at the end of the answer.
 * @param error Why the answer is incomplete.
 */
export function endEntry(
  accumulated: AnswerAccumulator,
  answer: string,
  error: string | undefined,
  at: string,
): EntryOf<'end'> {
  const { model, usage } = accumulated
  return { type: 'end', at, answer, model, choices: choicesOf(accumulated), usage: usage && usageRecord(usage), error }
}

/** The deltas of a part entry. Consecutive texts of the same type and choice are joined. */
export function contentDeltas(deltas: readonly Delta[]): ContentDelta[] {
  const content: ContentDelta[] = []
  for (const delta of deltas) {
    if (!isContent(delta) && delta.type !== 'thinking') continue
    addDelta(content, delta)
  }
  return content
}

/** Section 2.1, with the thinking blocks that the messages API requires with tool calls. */
function assistantMessage({ text, reasoning, refusal, calls, thinking }: AccumulatedChoice): JsonObject {
  const message: JsonObject = { role: 'assistant', content: text }
  if (reasoning !== '') message.reasoning_content = reasoning
  if (refusal !== '') message.refusal = refusal
  if (calls.size > 0) {
    if (thinking.length > 0) message.thinking_blocks = thinking
    message.tool_calls = [...calls]
      .sort(([a], [b]) => a - b)
      .map(([number, { id, name, arguments: given }]) => ({
        // The tool's result refers to the id.
        id: id || `call_${number}`,
        type: 'function',
        function: { name, arguments: given },
      }))
  }
  return message
}

/** Section 2.1. */
function usageRecord({ promptTokens, completionTokens }: Usage): JsonObject {
  return {
    ...(promptTokens !== undefined && { prompt_tokens: promptTokens }),
    ...(completionTokens !== undefined && { completion_tokens: completionTokens }),
  }
}
