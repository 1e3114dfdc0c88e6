import { isNonEmptyText, isObject, type Json, type JsonObject, objectsIn } from '../../io/json/json.ts'
import { addTexts, type ChoiceAccumulator, choiceMessage, ChoicesAccumulator, keysOfParts, merge } from '../choices.ts'
import { CallReader } from './calls.ts'
import { operations, type StreamingOperation } from '../operations.ts'
import { chatFields } from './fields.ts'
import { aliasFor } from '../models.ts'

/** Chat completions, sections 2.1 and 4. */
export const chat = {
  ...operations.chat,
  fields: chatFields,
  alias: aliasFor,
  choiceCount: ({ n }) => (typeof n === 'number' ? n : 1),
  createAccumulator: (keepsJson) => new ChoicesAccumulator('chat.completion', chatChoice, keepsJson),
} as const satisfies StreamingOperation

/** Adds the content of a delta: text, or parts, also after the other kind. */
function joinContent(before: Json = null, content: Json): Json {
  if (content === null) return before
  if (typeof before === 'string' && typeof content === 'string') return before + content
  if (before === null && !Array.isArray(content)) return content
  const parts = Array.isArray(before) ? (before as JsonObject[]) : contentPartsIn(before)
  for (const part of contentPartsIn(content)) {
    const last = parts.at(-1)
    if (isTextPart(last) && isTextPart(part))
      parts[parts.length - 1] = { ...last, ...part, text: `${last.text}${part.text}` }
    else parts.push(part)
  }
  return parts
}

function contentPartsIn(content: Json): JsonObject[] {
  return isNonEmptyText(content) ? [{ type: 'text', text: content }] : objectsIn(content)
}

function isTextPart(part: JsonObject | undefined): part is JsonObject & { readonly text: string } {
  return part?.type === 'text' && typeof part.text === 'string'
}

/** Keys of a part that are not merged into its choice. */
const otherKeys = [...keysOfParts, 'delta']

/** Keys of a delta that are not merged into its message. */
const otherKeysOfMessage = ['content', 'tool_calls']

function chatChoice(index: number, keepsJson: boolean): ChoiceAccumulator {
  let reader: CallReader | undefined
  /** What is kept of the message, without its calls, and of the rest of the choice. */
  const [keptMessage, keptOthers]: [JsonObject, JsonObject] = [{}, {}]

  const keep = (part: JsonObject): void => {
    merge(keptOthers, part, otherKeys)
    const { delta } = part
    if (!isObject(delta)) return
    merge(keptMessage, delta, otherKeysOfMessage)
    if (delta.content !== undefined) keptMessage.content = joinContent(keptMessage.content, delta.content)
  }

  return {
    add(deltas, part, exact) {
      if (keepsJson) keep(exact())
      const message = choiceMessage(part)
      addTexts(deltas, part, index)
      if (isNonEmptyText(message.refusal)) deltas.push({ type: 'refusal', index, text: message.refusal })
      if (message.tool_calls === undefined && message.function_call === undefined) return
      reader ??= new CallReader()
      const given = exact()
      const areWhole = !isObject(given.delta)
      const calling = choiceMessage(given)
      const keepsRest = keepsJson && !areWhole && calling.tool_calls !== undefined
      for (const { call, added } of reader.read(callsOf(calling), { areWhole, keepsRest })) {
        deltas.push({ type: 'tool', index, call, ...added })
      }
    },
    build() {
      const { role, content, ...others } = keptMessage
      const message = { role: role ?? 'assistant', content: content ?? null, ...others }
      const calls = reader?.build() ?? []
      return { message: calls.length > 0 ? { ...message, tool_calls: calls } : message, ...keptOthers }
    },
  }
}

function callsOf({ tool_calls: calls, function_call: called }: JsonObject): JsonObject[] {
  const objects = objectsIn(calls)
  return objects.length === 0 && isObject(called) ? [{ function: called }] : objects
}
