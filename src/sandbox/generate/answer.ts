/** Makes an answer: first what the stand-in would say, then what the request's limits leave of it. */

import { isObject, type JsonObject } from '../../io/json.ts'
import { lastRequest, type Effort, type Prompt } from '../prompt.ts'
import { countTokens, tokenize } from '../tokens.ts'
import { beginning, plural, wordsOf } from '../writers/phrases.ts'
import { writeText } from '../writers/text.ts'
import { cutText, type CutText, type Limits } from './limits.ts'
import { sampleJson } from './sample.ts'
import { chooseCalls, type MadeCall } from './tools.ts'

export interface MadeAnswer extends Omit<CutText, 'finish'> {
  readonly index: number
  readonly reasoning: readonly string[]
  readonly calls: readonly MadeCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
}

/**
 * @param index Number of the choice: each one differs.
 * @throws Refusal for a schema that no value was found for.
 */
export async function makeAnswer(prompt: Prompt, limits: Limits, index: number): Promise<MadeAnswer> {
  const thought = prompt.effort ? tokenize(writeReasoning(prompt, prompt.effort)) : []
  const reasoning = thought.slice(0, limits.totalTokens)
  const room = Math.min(limits.answerTokens, limits.totalTokens - reasoning.length)
  const calls = await chooseCalls(prompt, index)
  if (calls.length > 0) return { index, reasoning, text: [], stoppedAt: undefined, ...cutCalls(calls, room) }
  const written = prompt.schema ? await writeJson(prompt, prompt.schema, index) : writeText(prompt, index)
  return { index, reasoning, calls: [], ...cutText(written, limits, room) }
}

/** An answer that is one JSON value. */
async function writeJson({ turns }: Prompt, schema: JsonObject, index: number): Promise<string> {
  const request = lastRequest(turns)
  if (schema['type'] === 'object' && Object.keys(schema).length === 1) {
    const note = 'Answered by the syn sandbox: no model was asked.'
    const words = wordsOf(request).length
    return JSON.stringify({ standIn: true, note, prompt: beginning(request, 200), words, choice: index + 1 }, null, 2)
  }
  const source = index === 0 ? request : `${request} (choice ${index + 1})`
  const value = await sampleJson(schema, source, '$.response_format.json_schema.schema')
  return JSON.stringify(value, null, isObject(value) ? 2 : 0)
}

const sentenceCount: Record<Effort, number> = { low: 1, medium: 3, high: 6 }

/** What a thinking model thinks aloud before it answers. */
function writeReasoning({ turns, tools }: Prompt, effort: Effort): string {
  const request = lastRequest(turns)
  const images = turns.reduce((sum, turn) => sum + turn.images.length, 0)
  const sentences = [
    `The user wrote ${plural(wordsOf(request).length, 'word')}, beginning “${beginning(request, 60)}”.`,
    turns.length > 1 ? `${plural(turns.length - 1, 'message')} came before it.` : 'Nothing came before it.',
    'I am a stand-in without a model behind me, so a rule has to find the answer.',
    images > 0 ? `There is something to look at: ${plural(images, 'image')}.` : 'There are no images to look at.',
    tools.length > 0 ? `I could call ${plural(tools.length, 'tool')}.` : 'There are no tools to call.',
    'That settles it; now to write it down.',
  ]
  return sentences.slice(0, sentenceCount[effort]).join(' ')
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

export interface Spent {
  readonly reasoning: number
  /** Reasoning included. */
  readonly all: number
}

/** Completion tokens of several answers. */
export function spentTokens(answers: readonly MadeAnswer[]): Spent {
  const reasoning = answers.reduce((sum, answer) => sum + answer.reasoning.length, 0)
  const calls = answers.flatMap((answer) => answer.calls)
  const called = calls.reduce((sum, call) => sum + countTokens(call.name) + call.arguments.length, 0)
  return { reasoning, all: reasoning + called + answers.reduce((sum, answer) => sum + answer.text.length, 0) }
}

/** The `usage` of chat and text completions. */
export function usageOf(promptTokens: number, { reasoning, all }: Spent): JsonObject {
  const details = reasoning > 0 ? { completion_tokens_details: { reasoning_tokens: reasoning } } : {}
  return { prompt_tokens: promptTokens, total_tokens: promptTokens + all, completion_tokens: all, ...details }
}
