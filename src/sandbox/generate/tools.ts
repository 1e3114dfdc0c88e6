/** Chooses the tools that an answer calls, and generates their arguments. */

import { lastRequest, type Prompt, type Tool } from '../prompt.ts'
import { hash, tokenize } from '../tokens.ts'
import { wordsOf } from '../writers/task.ts'
import { sampleJson } from './sample.ts'

export interface MadeCall {
  readonly id: string
  readonly name: string
  /** Tokens of the arguments' JSON text. */
  readonly arguments: readonly string[]
}

const mostCalls = 3
/** Shorter words are ignored: `the` and `in` are in the description of any tool. */
const fewestLetters = 4

/**
 * @param index The index of the choice, which the ids of its calls depend on.
 * @throws HttpError for a tool's schema that no arguments were found for.
 */
export function chooseCalls(prompt: Prompt, index: number): Promise<MadeCall[]> {
  const request = lastRequest(prompt.turns)
  const made = chooseTools(prompt, request).map(async ({ name, schema }, at) => {
    const number = hash(JSON.stringify([prompt.turns, name, index, at]))
    const value = await sampleJson({ ...schema, type: 'object' }, request, `the parameters of the tool ${name}`)
    return { id: `call_${number.toString(36).padStart(7, '0')}`, name, arguments: tokenize(JSON.stringify(value)) }
  })
  return Promise.all(made)
}

function chooseTools({ tools, toolChoice, turns, isParallel }: Prompt, request: string): Tool[] {
  if (toolChoice === 'none' || tools.length === 0) return []
  if (typeof toolChoice === 'object') return tools.filter((tool) => tool.name === toolChoice.name).slice(0, 1)
  const ranked = tools.map((tool) => ({ tool, points: score(tool, request) })).toSorted((a, b) => b.points - a.points)
  if (toolChoice === 'any') return ranked.slice(0, 1).map(({ tool }) => tool)
  // A tool result is answered with text: another call would never end.
  if (turns.at(-1)?.role === 'tool') return []
  const fitting = ranked.filter(({ points }) => points > 0).slice(0, isParallel ? mostCalls : 1)
  return fitting.map(({ tool }) => tool)
}

/** How many words a tool shares with the request. */
function score({ name, description }: Tool, request: string): number {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')
  const wanted = longWords(request)
  return longWords(`${spaced} ${description}`).filter((word) => wanted.includes(word)).length
}

function longWords(text: string): string[] {
  return wordsOf(text.toLowerCase()).filter((word) => word.length >= fewestLetters)
}
