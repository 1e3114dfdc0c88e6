/** Schemas of the nested values in a chat completion request (section 2.1). Unknown keys are allowed. */

import * as v from 'valibot'
import { imageFormats, isImageUrl } from '../image.ts'

const imageUrl = v.pipe(
  v.string(),
  v.check(isImageUrl, `an http or https URL, or data:FORMAT;base64,DATA with FORMAT one of ${imageFormats.join(', ')}`),
)

const textPart = v.looseObject({ type: v.literal('text'), text: v.string() })

const imagePart = v.looseObject({
  type: v.literal('image_url'),
  image_url: v.looseObject({ url: imageUrl }),
})

const content = v.union([v.string(), v.array(v.variant('type', [textPart, imagePart]))])

const functionCall = v.looseObject({ name: v.string(), arguments: v.string() })

const toolCall = v.looseObject({ id: v.string(), type: v.literal('function'), function: functionCall })

const sender = { name: v.optional(v.string()) }

const fromAssistant = { role: v.literal('assistant'), reasoning_content: v.nullish(v.string()) }

// The service itself sends `content: null` with tool calls, so it must be accepted in a conversation.
const fromCalling = { ...fromAssistant, content: v.nullish(content) }

const callingAssistant = v.looseObject({
  ...fromCalling,
  tool_calls: v.pipe(v.array(toolCall), v.minLength(1, 'at least one tool call')),
})

const functionCallingAssistant = v.looseObject({ ...fromCalling, function_call: functionCall })

const assistant = v.looseObject({
  ...fromAssistant,
  content,
  ...sender,
  tool_calls: v.optional(v.null()),
  function_call: v.optional(v.null()),
})

const message = v.lazy((value) => {
  const { role, tool_calls: toolCalls, function_call: call } = (value ?? {}) as Record<string, unknown>
  if (role === 'assistant' && toolCalls != null) return callingAssistant
  if (role === 'assistant' && call != null) return functionCallingAssistant
  return otherMessage
})

const otherMessage = v.variant('role', [
  v.looseObject({ role: v.literal('system'), content, ...sender }),
  v.looseObject({ role: v.literal('user'), content, ...sender }),
  assistant,
  v.looseObject({ role: v.literal('tool'), content, tool_call_id: v.string() }),
  v.looseObject({ role: v.literal('function'), content: v.nullable(content), name: v.string() }),
])

export const chatMessages = v.array(message)

export const namedObject = v.looseObject({ name: v.string() })

export const functions = v.array(namedObject)

export const chatToolChoice = v.looseObject({ type: v.literal('function'), function: namedObject })

export const chatTools = v.array(chatToolChoice)

export const responseFormat = v.variant('type', [
  v.looseObject({ type: v.literal('text') }),
  v.looseObject({ type: v.literal('json_object') }),
  v.looseObject({
    type: v.literal('json_schema'),
    json_schema: v.looseObject({ name: v.string(), schema: v.optional(v.looseObject({})) }),
  }),
])
