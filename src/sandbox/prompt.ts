/** What a request asks for, the same for every interface. */

import type { Json, JsonObject } from '../io/json.ts'
import { checkLength, type SandboxModel } from './models.ts'
import { HttpError } from './http-error.ts'
import { countTokens } from './tokens.ts'

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  /** What is seen of each: `a PNG image of 640 × 480 pixels` */
  readonly images: readonly string[]
  /** The tool that a `tool` turn's text comes from, where the conversation names it. */
  readonly tool?: string | undefined
}

export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly schema: JsonObject
}

/** `any` requires at least one call, of any tool. */
export type ToolChoice = 'auto' | 'none' | 'any' | { readonly name: string }

export type Effort = 'low' | 'medium' | 'high'

export interface Prompt {
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice
  /** Whether several tools may be called at once. */
  readonly isParallel: boolean
  /** JSON schema that the answer has to fit. */
  readonly schema: JsonObject | undefined
  /** How much reasoning precedes the answer; none when undefined. */
  readonly effort: Effort | undefined
  readonly seed: number | undefined
}

/** @param schema Of its arguments; any object when absent. */
export function readTool({ name, description }: JsonObject, schema: Json = { type: 'object' }): Tool {
  const text = typeof description === 'string' ? description : ''
  return { name: name as string, description: text, schema: schema as JsonObject }
}

/** Each turn costs a few tokens for its frame, as with chat templates. */
const turnFrame = 3
/** Tokens of an image, whatever its size. */
const imageTokens = 1000

function countPromptTokens({ turns, tools }: Prompt): number {
  const ofTurns = turns.map(({ text, images }) => turnFrame + countTokens(text) + images.length * imageTokens)
  const ofTools = tools.length === 0 ? 0 : countTokens(JSON.stringify(tools))
  return ofTurns.reduce((sum, tokens) => sum + tokens, ofTools)
}

/** What the user said last; empty when the user said nothing. */
export function lastRequest(turns: readonly Turn[]): string {
  return turns.findLast((turn) => turn.role === 'user')?.text ?? ''
}

/**
 * Whether a model can take a prompt.
 * @returns the prompt's tokens.
 * @throws HttpError for an empty or too long conversation, images it can't see, or a tool that isn't there.
 */
export function checkPrompt(prompt: Prompt, model: SandboxModel): number {
  const { turns, tools, toolChoice } = prompt
  if (turns.length === 0) throw new HttpError(400, '$.messages: [] is not accepted; expected at least one message')
  if (!model.hasVision && turns.some((turn) => turn.images.length > 0)) {
    throw new HttpError(
      400,
      `The model ${model.name} does not accept images; syn:large:vision and syn:small:vision do.`,
    )
  }
  if (typeof toolChoice === 'object' && !tools.some((tool) => tool.name === toolChoice.name)) {
    throw new HttpError(400, `$.tool_choice: there is no tool ${JSON.stringify(toolChoice.name)} among the tools`)
  }
  if (toolChoice === 'any' && tools.length === 0) {
    throw new HttpError(400, '$.tool_choice: a tool has to be used, but there are no tools')
  }
  const tokens = countPromptTokens(prompt)
  checkLength(model, tokens)
  return tokens
}
