/**
 * From the choices that chat and text completions consist of (sections 2.1 and 2.2) to deltas. Requires little: only
 * what is there and has the right type counts.
 */

import { objectsIn, type Json, type JsonObject } from '../io/json.ts'
import type { Decoder } from '../stream/answer.ts'
import type { Delta } from '../stream/delta.ts'
import { decodeUsage } from './usage.ts'

/** @param decodeChoice What a choice, or a part of one, says; how it ended is seen to here. */
export function createChoiceDecoder(decodeChoice: (choice: JsonObject, index: number) => Delta[]): Decoder {
  let hasStarted = false

  function decode(chunk: JsonObject, isWhole: boolean): Delta[] {
    const deltas: Delta[] = []
    // Not every service names the model in its first chunk.
    if (!hasStarted && (isText(chunk.id) || isText(chunk.model))) {
      hasStarted = true
      deltas.push({ type: 'start', ...named('id', chunk.id), ...named('model', chunk.model) })
    }
    for (const [position, choice] of objectsIn(chunk.choices).entries()) {
      const index = typeof choice.index === 'number' ? choice.index : isWhole ? position : 0
      deltas.push(...decodeChoice(choice, index))
      const reason = choice.finish_reason
      if (isText(reason)) deltas.push({ type: 'end', index, reason })
      else if (isWhole) deltas.push({ type: 'end', index, reason: 'stop' })
    }
    const usage = decodeUsage(chunk.usage)
    if (usage) deltas.push({ type: 'usage', usage })
    return deltas
  }

  return {
    decodeChunk: (chunk) => decode(chunk, false),
    decodeWhole: (answer) => decode(answer, true),
  }
}

/** What a thinking model thought, in a choice or its message. */
export function decodeReasoning(holder: JsonObject, index: number): Delta[] {
  // Services name it either way; where both are there they hold the same, or one is empty.
  const reasoning = isText(holder.reasoning_content) ? holder.reasoning_content : holder.reasoning
  return isText(reasoning) ? [{ type: 'reasoning', index, text: reasoning }] : []
}

export function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

/** The value under this name, where it is a text that says something. */
export function named<Name extends string>(name: Name, value: Json | undefined): { [N in Name]?: string } {
  return (isText(value) ? { [name]: value } : {}) as { [N in Name]?: string }
}
