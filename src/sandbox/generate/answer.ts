/** Makes an answer: first what the stand-in would say, then what the request's limits leave of it. */

import { Chance, hash } from '../chance.ts'
import { countTokens, tokenId, tokenize } from '../tokens.ts'
import type { Prompt } from '../prompt.ts'
import { writeJson } from './json.ts'
import { writeReasoning } from './reasoning.ts'
import { chooseCalls, type MadeCall } from './tools.ts'
import { writeText } from '../writers/text.ts'

export interface Limits {
  /** Texts that end the answer before them. */
  readonly stop: readonly string[]
  /** Longest answer in tokens, reasoning not included. */
  readonly answerTokens: number
  /** Longest answer in tokens, reasoning included. */
  readonly totalTokens: number
  /** Ids of tokens that may not occur: a `logit_bias` of -100. Other biases have nothing to act on here. */
  readonly banned: ReadonlySet<number>
}

export const noLimits: Limits = { stop: [], answerTokens: Infinity, totalTokens: Infinity, banned: new Set() }

export interface MadeAnswer {
  readonly index: number
  readonly reasoning: readonly string[]
  readonly text: readonly string[]
  readonly calls: readonly MadeCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  /** The stop text that ended the answer. */
  readonly stoppedAt: string | undefined
}

export interface Spent {
  readonly reasoning: number
  /** Reasoning included. */
  readonly all: number
}

/** @param index Number of the choice: each one differs. */
export function makeAnswer(prompt: Prompt, limits: Limits, index: number): MadeAnswer {
  const chance = new Chance(hash(JSON.stringify([prompt.turns, prompt.seed ?? null, index])))
  const thought = prompt.effort ? tokenize(writeReasoning(prompt, prompt.effort)) : []
  const reasoning = thought.slice(0, limits.totalTokens)
  const room = Math.min(limits.answerTokens, limits.totalTokens - reasoning.length)
  const calls = chooseCalls(prompt, index)
  if (calls.length > 0) return { index, reasoning, text: [], stoppedAt: undefined, ...cutCalls(calls, room) }
  const written = prompt.schema ? writeJson(prompt, prompt.schema, index) : writeText(prompt, index, chance)
  return { index, reasoning, calls: [], ...cutText(written, limits, room) }
}

/** Completion tokens of several answers. */
export function spentTokens(answers: readonly MadeAnswer[]): Spent {
  const reasoning = answers.reduce((sum, answer) => sum + answer.reasoning.length, 0)
  const calls = answers.flatMap((answer) => answer.calls)
  const called = calls.reduce((sum, call) => sum + countTokens(call.name) + call.arguments.length, 0)
  return { reasoning, all: reasoning + called + answers.reduce((sum, answer) => sum + answer.text.length, 0) }
}

/** Ends a text before the first stop text, then at the limit. */
export function cutText(
  written: string,
  { stop, banned }: Limits,
  room: number,
): Pick<MadeAnswer, 'text' | 'finish' | 'stoppedAt'> {
  const allowed = banned.size === 0 ? written : withoutTokens(written, banned)
  const cuts = stop.filter((text) => text !== '').map((text) => ({ text, at: allowed.indexOf(text) }))
  const [first] = cuts.filter(({ at }) => at !== -1).toSorted((a, b) => a.at - b.at)
  const tokens = tokenize(first ? allowed.slice(0, first.at) : allowed)
  if (tokens.length > room) return { text: tokens.slice(0, room), finish: 'length', stoppedAt: undefined }
  return { text: tokens, finish: 'stop', stoppedAt: first?.text }
}

function withoutTokens(text: string, banned: ReadonlySet<number>): string {
  return tokenize(text)
    .filter((token) => !banned.has(tokenId(token)))
    .join('')
}

function cutCalls(calls: readonly MadeCall[], room: number): Pick<MadeAnswer, 'calls' | 'finish'> {
  const kept: MadeCall[] = []
  let left = room
  for (const call of calls) {
    if (left <= 0) return { calls: kept, finish: 'length' }
    kept.push({ ...call, arguments: call.arguments.slice(0, left) })
    left -= call.arguments.length
  }
  return { calls: kept, finish: left < 0 ? 'length' : 'tool_calls' }
}
