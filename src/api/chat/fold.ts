import { isObject, type JsonObject } from '../../io/json.ts'
import { foldChoices, type GrowingChoice } from '../fold-choices.ts'
import { merge } from '../merge.ts'
import { CallNumbers } from './call-numbers.ts'

/** @param chunks Of one answer, in the order in which they came. */
export function foldChat(chunks: readonly JsonObject[]): JsonObject {
  return foldChoices(chunks, 'chat.completion', () => new GrowingMessage())
}

class GrowingMessage implements GrowingChoice {
  readonly #message: JsonObject = {}
  readonly #calls = new Map<number, JsonObject>()
  readonly #callNumbers = new CallNumbers()
  /** Whatever the choice holds beside its message. */
  readonly #rest: JsonObject = {}

  add({ delta, ...rest }: JsonObject): void {
    merge(this.#rest, rest)
    if (!isObject(delta)) return
    const { tool_calls: pieces, ...message } = delta
    merge(this.#message, message)
    for (const [call, piece] of this.#callNumbers.assign(pieces)) {
      const whole = this.#calls.get(call) ?? {}
      this.#calls.set(call, whole)
      merge(whole, piece)
    }
  }

  whole(): JsonObject {
    const { role, content, ...others } = this.#message
    const message: JsonObject = { role: role ?? 'assistant', content: content ?? null, ...others }
    const calls = [...this.#calls].sort(([a], [b]) => a - b).map(([, call], position) => wholeCall(call, position))
    return { message: calls.length > 0 ? { ...message, tool_calls: calls } : message, ...this.#rest }
  }
}

/** The index was only there to tell the pieces apart; an id that never came is made, for the tool's answer to name. */
function wholeCall({ index: _index, id, type, ...rest }: JsonObject, position: number): JsonObject {
  return { id: id || `call_${position}`, type: type || 'function', ...rest }
}
