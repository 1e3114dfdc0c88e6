/** Generates an answer, and applies the request's limits to it. */

import { isObject } from '../../io/json/json.ts'
import { pluralize } from '../../io/text/plural.ts'
import type { Effort } from '../models.ts'
import { lastRequest, type Prompt, type Tool } from '../prompt.ts'
import { tokenCount, hash, tokenize } from '../tokens.ts'
import { sampleJson } from './sample.ts'
import { excerpt, wordsOf, composeText } from './answer-text.ts'

/** The limits of an answer (default: none). */
export interface Limits {
  /** The answer ends before the first of these texts. */
  readonly stop?: readonly string[] | undefined
  /** Maximum tokens, without reasoning. */
  readonly answerTokens?: number | undefined
  /** Maximum tokens, including reasoning. */
  readonly totalTokens?: number | undefined
}

export interface MadeCall {
  readonly id: string
  readonly name: string
  /** Tokens of the arguments' JSON text. */
  readonly arguments: readonly string[]
}

/** An answer in tokens, after limits are applied. */
export interface MadeAnswer {
  readonly reasoning: readonly string[]
  readonly text: readonly string[]
  readonly calls: readonly MadeCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  /** The stop text that ended the answer. */
  readonly stoppedAt?: string | undefined
}

/** @param index The index of the choice: each one differs. @throws HttpError for a schema that no value was found for. */
export async function generateAnswer(prompt: Prompt, limits: Limits, index: number): Promise<MadeAnswer> {
  const reasoning = writeReasoning(prompt)
  const calls = await chooseCalls(prompt, index)
  const text = calls.length > 0 ? '' : await writeText(prompt, index)
  return limitAnswer({ reasoning, calls, text }, limits)
}

async function writeText(prompt: Prompt, index: number): Promise<string> {
  const { turns, schema } = prompt
  if (!schema) return composeText(prompt, index)
  const request = lastRequest(turns)
  if (schema['type'] === 'object' && Object.keys(schema).length === 1) {
    return JSON.stringify({ standIn: true, prompt: excerpt(request, 200), choice: index + 1 }, null, 2)
  }
  const source = index === 0 ? request : `${request} (choice ${index + 1})`
  const value = await sampleJson(schema, source, '$.response_format.json_schema.schema')
  return JSON.stringify(value, null, isObject(value) ? 2 : 0)
}

const sentenceCount: Record<Effort, number> = { none: 0, low: 1, medium: 2, high: 3, xhigh: 4, max: 4 }

function writeReasoning({ turns, effort }: Prompt): string {
  const request = lastRequest(turns)
  const sentences = [
    `The user wrote ${pluralize(wordsOf(request).length, 'word')}: “${excerpt(request, 60)}”.`,
    turns.length > 1 ? `${pluralize(turns.length - 1, 'message')} came before it.` : 'It is the first message.',
    'I am an offline stand-in without a model, so I answer by fixed rules.',
    'Now I write the answer.',
  ]
  return sentences.slice(0, sentenceCount[effort]).join(' ')
}

const mostCalls = 3
/** Shorter words of a name are ignored: `get` and `to` are in many names, and in many prompts. */
const fewestLetters = 4

/** @param index The index of the choice, which the ids of its calls depend on. */
function chooseCalls(prompt: Prompt, index: number): Promise<MadeCall[]> {
  const request = lastRequest(prompt.turns)
  const made = chooseTools(prompt, request).map(async ({ name, schema }, at) => {
    const number = hash(JSON.stringify([prompt.turns, name, index, at]))
    // Arguments never come from the request: a tool that runs commands would run its words.
    const value = await sampleJson({ ...schema, type: 'object' }, '', `the parameters of the tool ${name}`)
    return { id: `call_${number.toString(36).padStart(7, '0')}`, name, arguments: tokenize(JSON.stringify(value)) }
  })
  return Promise.all(made)
}

function chooseTools({ tools, toolChoice, turns, isParallel }: Prompt, request: string): Tool[] {
  if (toolChoice === 'none' || tools.length === 0) return []
  if (typeof toolChoice === 'object') return tools.filter((tool) => tool.name === toolChoice.name).slice(0, 1)
  const fitting = tools.filter((tool) => isFitting(tool, request))
  if (toolChoice === 'any') return [...fitting, ...tools].slice(0, 1)
  // A tool result is answered with text: another call would never end.
  return turns.at(-1)?.role === 'tool' ? [] : fitting.slice(0, isParallel ? mostCalls : 1)
}

/** Whether the request has the name of a tool, or a long word of it. */
function isFitting({ name }: Tool, request: string): boolean {
  const [own, asked] = [nameWords(name), nameWords(request)]
  if (` ${asked.join(' ')} `.includes(` ${own.join(' ')} `)) return true
  return own.some((word) => word.length >= fewestLetters && asked.includes(word))
}

/** `read_file`, `read-file` and `readFile` are two words. */
function nameWords(text: string): string[] {
  const spaced = text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')
  return wordsOf(spaced.toLowerCase())
}

/**
 * Truncates reasoning and text by tokens, and the text also before the first stop text.
 * @param written If there are calls, there is no text.
 */
export function limitAnswer(
  written: { readonly reasoning: string; readonly text: string; readonly calls: readonly MadeCall[] },
  limits: Limits,
): MadeAnswer {
  const { stop = [], answerTokens = Infinity, totalTokens = Infinity } = limits
  const reasoning = tokenize(written.reasoning).slice(0, totalTokens)
  const room = Math.min(answerTokens, totalTokens - reasoning.length)
  if (written.calls.length > 0) return { reasoning, text: [], ...cutCalls(written.calls, room) }
  const { text } = written
  const ends = stop.filter((end) => end !== '' && text.includes(end))
  const [first] = ends.toSorted((a, b) => text.indexOf(a) - text.indexOf(b))
  const tokens = tokenize(first === undefined ? text : text.slice(0, text.indexOf(first)))
  const answer = { reasoning, text: tokens.slice(0, room), calls: [] }
  return tokens.length > room ? { ...answer, finish: 'length' } : { ...answer, finish: 'stop', stoppedAt: first }
}

function cutCalls(calls: readonly MadeCall[], room: number): Pick<MadeAnswer, 'calls' | 'finish'> {
  const cut: MadeCall[] = []
  let left = room
  for (const call of calls) {
    if (left <= 0) return { calls: cut, finish: 'length' }
    cut.push({ ...call, arguments: call.arguments.slice(0, left) })
    left -= call.arguments.length
  }
  return { calls: cut, finish: left < 0 ? 'length' : 'tool_calls' }
}

/** The completion tokens of several answers; `all` includes reasoning. */
export function usedTokens(answers: readonly MadeAnswer[]): { reasoning: number; all: number } {
  const reasoning = answers.reduce((sum, answer) => sum + answer.reasoning.length, 0)
  const calls = answers.flatMap((answer) => answer.calls)
  const called = calls.reduce((sum, call) => sum + tokenCount(call.name) + call.arguments.length, 0)
  return { reasoning, all: reasoning + called + answers.reduce((sum, answer) => sum + answer.text.length, 0) }
}
