/** What a request asks for, the same for every interface. */

import type { JsonObject } from '../io/json.ts'
import { countTokens } from './tokens.ts'
import type { SeenImage } from './images.ts'

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly images: readonly SeenImage[]
  /** The tool that a `tool` turn's text comes from, where the conversation tells. */
  readonly tool?: string | undefined
}

export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly schema: JsonObject
}

/** `any` stands for: at least one, whichever. */
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

/** Each turn costs a few tokens for its frame, as with chat templates. */
const turnFrame = 3

export function countPromptTokens({ turns, tools }: Pick<Prompt, 'turns' | 'tools'>): number {
  const spoken = turns.reduce((sum, turn) => sum + turnFrame + countTokens(turn.text) + imageTokens(turn.images), 0)
  return tools.length === 0 ? spoken : spoken + countTokens(JSON.stringify(tools))
}

function imageTokens(images: readonly SeenImage[]): number {
  return images.reduce((sum, image) => sum + image.tokens, 0)
}

/** What the user said last; empty when the user said nothing. */
export function lastRequest(turns: readonly Turn[]): string {
  return turns.findLast((turn) => turn.role === 'user')?.text ?? ''
}
