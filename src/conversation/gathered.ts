/** The choices of an answer, put together from its deltas. */

import type { JsonObject } from '../io/json.ts'
import type { Delta, Usage } from '../stream/delta.ts'
import type { Choice } from './entry.ts'

interface Call {
  id: string
  name: string
  arguments: string
}

interface Growing {
  text: string
  reasoning: string
  refusal: string
  readonly calls: Map<number, Call>
  readonly thinking: JsonObject[]
  reason: string | null
}

export class Gathered {
  readonly #choices = new Map<number, Growing>()
  /** The serving model's name. */
  model: string | undefined
  usage: Usage | undefined

  note(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if (delta.type === 'start') this.model = delta.model
      else if (delta.type === 'usage') this.usage = delta.usage
      else if (delta.type === 'text') this.#choice(delta.index).text += delta.text
      else if (delta.type === 'reasoning') this.#choice(delta.index).reasoning += delta.text
      else if (delta.type === 'refusal') this.#choice(delta.index).refusal += delta.text
      else if (delta.type === 'thinking') this.#choice(delta.index).thinking.push(delta.block)
      else if (delta.type === 'tool') noteCall(this.#choice(delta.index).calls, delta)
      else if (delta.type === 'end') this.#choice(delta.index).reason = delta.reason
    }
  }

  choices(): Choice[] {
    return [...this.#choices]
      .sort(([a], [b]) => a - b)
      .map(([index, choice]) => ({ index, message: messageOf(choice), finish_reason: choice.reason }))
  }

  #choice(index: number): Growing {
    const known = this.#choices.get(index)
    if (known) return known
    const choice: Growing = { text: '', reasoning: '', refusal: '', calls: new Map(), thinking: [], reason: null }
    this.#choices.set(index, choice)
    return choice
  }
}

function noteCall(calls: Map<number, Call>, piece: Extract<Delta, { type: 'tool' }>): void {
  const call = calls.get(piece.call) ?? { id: '', name: '', arguments: '' }
  calls.set(piece.call, call)
  // Some services repeat id and name with every piece.
  call.id ||= piece.id ?? ''
  call.name ||= piece.name ?? ''
  call.arguments += piece.arguments ?? ''
}

/** As section 2.1 has an assistant's message, with the thinking that the messages family wants back beside calls. */
function messageOf({ text, reasoning, refusal, calls, thinking }: Growing): JsonObject {
  const message: JsonObject = { role: 'assistant', content: text }
  if (reasoning !== '') message.reasoning_content = reasoning
  if (refusal !== '') message.refusal = refusal
  if (calls.size > 0) {
    if (thinking.length > 0) message.thinking_blocks = thinking
    message.tool_calls = [...calls]
      .sort(([a], [b]) => a - b)
      .map(([number, { id, name, arguments: given }]) => ({
        // A tool's answer needs an id to name.
        id: id || `call_${number}`,
        type: 'function',
        function: { name, arguments: given },
      }))
  }
  return message
}
