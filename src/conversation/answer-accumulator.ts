/** Accumulates the deltas of an answer: while it is recorded, and when its file lacks the end. */

import type { JsonObject } from '../io/json.ts'
import { addDelta, isContent, type Delta, type Usage } from '../stream/delta.ts'
import type { Choice, ContentDelta, EndEntry } from './entry.ts'

interface ToolCall {
  id: string
  name: string
  arguments: string
}

interface PartialChoice {
  text: string
  reasoning: string
  refusal: string
  /** By number. */
  readonly calls: Map<number, ToolCall>
  readonly thinking: JsonObject[]
  finishReason: string | null
}

export class AnswerAccumulator {
  readonly #choices = new Map<number, PartialChoice>()
  /** The serving model's name. */
  #model: string | undefined
  #usage: Usage | undefined

  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if (delta.type === 'start') this.#model = delta.model
      else if (delta.type === 'usage') this.#usage = delta.usage
      else if (delta.type === 'text') this.#choice(delta.index).text += delta.text
      else if (delta.type === 'reasoning') this.#choice(delta.index).reasoning += delta.text
      else if (delta.type === 'refusal') this.#choice(delta.index).refusal += delta.text
      else if (delta.type === 'thinking') this.#choice(delta.index).thinking.push(delta.block)
      else if (delta.type === 'tool') addToolCall(this.#choice(delta.index).calls, delta)
      else if (delta.type === 'end') this.#choice(delta.index).finishReason = delta.reason
    }
  }

  /** Ordered by index. */
  choices(): Choice[] {
    return [...this.#choices]
      .sort(([a], [b]) => a - b)
      .map(([index, choice]) => ({ index, message: assistantMessage(choice), finish_reason: choice.finishReason }))
  }

  /**
   * The entry at the end of the answer.
   * @param error Why the answer is incomplete.
   */
  endEntry(answer: string, error: string | undefined, at: string): EndEntry {
    return {
      type: 'end',
      at,
      answer,
      ...(this.#model !== undefined && { model: this.#model }),
      choices: this.choices(),
      ...(this.#usage && { usage: usageRecord(this.#usage) }),
      ...(error !== undefined && { error }),
    }
  }

  #choice(index: number): PartialChoice {
    const known = this.#choices.get(index)
    if (known) return known
    const choice = { text: '', reasoning: '', refusal: '', calls: new Map(), thinking: [], finishReason: null }
    this.#choices.set(index, choice)
    return choice
  }
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

function addToolCall(calls: Map<number, ToolCall>, piece: Extract<Delta, { type: 'tool' }>): void {
  const call = calls.get(piece.call) ?? { id: '', name: '', arguments: '' }
  calls.set(piece.call, call)
  // Some services repeat id and name with every piece.
  call.id ||= piece.id ?? ''
  call.name ||= piece.name ?? ''
  call.arguments += piece.arguments ?? ''
}

/** Section 2.1, with the thinking blocks that the messages API requires with tool calls. */
function assistantMessage({ text, reasoning, refusal, calls, thinking }: PartialChoice): JsonObject {
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
