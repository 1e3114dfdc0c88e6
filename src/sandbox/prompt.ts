/** The content of a request, in a format common to all API dialects. */

import type { Json, JsonObject } from '../io/json/json.ts'
import { pluralize } from '../io/text/plural.ts'
import { checkLength, type Effort, type SandboxModel } from './models.ts'
import type { PromptPart } from './prompt-cache.ts'
import { HttpError, notAccepted } from './endpoint.ts'
import { tokenCount } from './tokens.ts'

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  /** Descriptions, such as `a PNG image of 640 × 480 pixels`. */
  readonly images: readonly string[]
  /** For a `tool` turn, the name of the tool, if the conversation has it. */
  readonly tool?: string | undefined
}

export type Tool = Readonly<ReturnType<typeof readTool>>

/** `any` requires at least one call, of any tool. */
export type ToolChoice = 'auto' | 'none' | 'any' | { readonly name: string }

export interface Prompt {
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice
  readonly isParallel: boolean
  /** JSON schema for the answer. */
  readonly schema?: JsonObject | undefined
  readonly effort: Effort
  readonly seed?: number | undefined
}

/** @param schema Of the arguments (default: any object). */
export function readTool({ name, description }: JsonObject, schema: Json = { type: 'object' }) {
  const text = typeof description === 'string' ? description : ''
  return { name: name as string, description: text, schema: schema as JsonObject }
}

/** Describes an image, such as `a PNG image of 69 bytes`. None is ever fetched. */
export function describeImage(url: string): string {
  const [, format = '', data] = /^data:(?:image\/)?([^;,]*);base64,(.*)$/s.exec(url) ?? []
  if (data === undefined) return `the image at ${url} (not fetched)`
  return `a ${format.toUpperCase()} image of ${pluralize(Buffer.byteLength(data, 'base64'), 'byte')}`
}

/** Tokens added per turn, as by a chat template. */
const turnOverhead = 3
/** Tokens of an image, whatever its size. */
const imageTokens = 1000

function promptParts({ turns, tools }: Prompt): PromptPart[] {
  const ofTurns = turns.map((turn) => {
    const tokens = turnOverhead + tokenCount(turn.text) + turn.images.length * imageTokens
    return { content: JSON.stringify(turn), tokens }
  })
  const ofTools = JSON.stringify(tools)
  return [{ content: ofTools, tokens: tools.length === 0 ? 0 : tokenCount(ofTools) }, ...ofTurns]
}

export function countTokens(parts: readonly PromptPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The text of the last user turn; '' if there is none. */
export function lastRequest(turns: readonly Turn[]): string {
  return turns.findLast((turn) => turn.role === 'user')?.text ?? ''
}

/**
 * Checks that a model accepts a prompt.
 * @returns its parts, in order.
 * @throws HttpError for an empty or too long conversation, images without a vision model, or an unknown tool.
 */
export function checkPrompt(prompt: Prompt, model: SandboxModel): PromptPart[] {
  const { turns, tools, toolChoice } = prompt
  if (turns.length === 0) throw notAccepted('$.messages', turns, 'expected at least one message')
  if (!model.hasVision && turns.some((turn) => turn.images.length > 0)) {
    throw new HttpError(400, `The model ${model.name} does not accept images.`)
  }
  if (typeof toolChoice === 'object' && !tools.some((tool) => tool.name === toolChoice.name)) {
    throw new HttpError(400, `$.tool_choice: no such tool: ${JSON.stringify(toolChoice.name)}`)
  }
  if (toolChoice === 'any' && tools.length === 0) {
    throw new HttpError(400, '$.tool_choice: the request has no tools')
  }
  const parts = promptParts(prompt)
  checkLength(model, countTokens(parts))
  return parts
}
