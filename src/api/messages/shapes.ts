/** Schemas of the nested values in a messages request (section 2.4). Unknown keys are allowed. */

import * as v from 'valibot'

const source = v.variant('type', [
  v.looseObject({ type: v.literal('base64'), media_type: v.string(), data: v.string() }),
  v.looseObject({ type: v.literal('url'), url: v.string() }),
])

const textBlock = v.looseObject({ type: v.literal('text'), text: v.string() })

const block = v.variant('type', [
  textBlock,
  v.looseObject({ type: v.literal('image'), source }),
  v.looseObject({ type: v.literal('tool_use'), id: v.string(), name: v.string(), input: v.unknown() }),
  v.looseObject({
    type: v.literal('tool_result'),
    tool_use_id: v.string(),
    content: v.string(),
    is_error: v.optional(v.boolean()),
  }),
  v.looseObject({ type: v.literal('thinking'), thinking: v.string() }),
  v.looseObject({ type: v.literal('redacted_thinking') }),
])

export const messageList = v.array(
  v.looseObject({ role: v.picklist(['user', 'assistant']), content: v.union([v.string(), v.array(block)]) }),
)

export type ConversationMessage = v.InferOutput<typeof messageList>[number]
export type ContentBlock = v.InferOutput<typeof block>

export const systemMessages = v.array(textBlock)

export const messagesTools = v.array(
  v.looseObject({
    name: v.string(),
    description: v.optional(v.string()),
    input_schema: v.looseObject({
      type: v.literal('object'),
      properties: v.optional(v.looseObject({})),
      required: v.optional(v.array(v.string())),
    }),
  }),
)

export const messagesToolChoice = v.variant('type', [
  v.looseObject({ type: v.picklist(['auto', 'any', 'none']) }),
  v.looseObject({ type: v.literal('tool'), name: v.string() }),
])
