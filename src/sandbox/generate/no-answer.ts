/** What models and gateways send now and then in place of an answer, for a prompt that has the word for it. */

import type { Json, JsonObject } from '../../io/json/json.ts'
import { parseJsonIfValid } from '../../io/json/parse.ts'
import { lastRequest, type Prompt } from '../prompt.ts'
import { tokenize } from '../tokens.ts'
import type { WrittenAnswer } from './written-answer.ts'

type Distortion = (written: WrittenAnswer, prompt: Prompt) => Partial<WrittenAnswer>

/** In the order in which they are applied. */
const distortions: Readonly<Record<string, Distortion>> = {
  'kimi-k3-call': callsAsText(
    (name, args) => `<|open|>call tool="${name}" index="1"<|sep|>${kimi3Arguments(args)}<|close|>call<|sep|>`,
    ['<|open|>tools<|sep|>', '<|close|>tools<|sep|>'],
  ),
  'kimi-k3-json-call': callsAsText(
    (name, _args, json) =>
      `<|open|>call tool="${name}" index="1"<|sep|><|open|>json type="object"<|sep|>${json}<|close|>json<|sep|><|close|>call<|sep|>`,
    ['<|open|>tools<|sep|>', '<|close|>tools<|sep|>'],
  ),
  'kimi-k2-call': callsAsText(
    (name, _args, json) => `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${json}<|tool_call_end|>`,
    ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
  ),
  'qwen-call': callsAsText(
    (name, _args, json) => `<tool_call>\n{"name":"${name}","arguments":${json}}\n</tool_call>\n`,
  ),
  'forced-tool': ({ text }) => calling('json_tool_call', parseJsonIfValid(text) ?? { text }),
  'other-tool': () => calling('search', { q: 'weather' }),
  'marker-behind': ({ text }) => ({ text: `${text}<|close|>message<|sep|>` }),
  'marker-before': ({ text }) => ({ text: `p|>${text}` }),
  'think-tag': ({ text }) => ({ text: `<think>The user wants an answer.\n</think>\n\n${text}` }),
  'think-end': ({ text }) => ({ text: `</think>\n\n${text}` }),
  'blank-answer': (_written, { isNew }) => (isNew ? { text: '\n\n', calls: [] } : {}),
}

/** An answer as the words of the prompt ask for it; the same without any. */
export function distort(written: WrittenAnswer, prompt: Prompt): WrittenAnswer {
  const answer = { ...written }
  for (const [word, change] of Object.entries(distortions)) {
    if (isAsked(word, prompt)) Object.assign(answer, change(answer, prompt))
  }
  return answer
}

/** How many choices are sent. @param count As requested. */
export function choicesSent(count: number, prompt: Prompt): number {
  return isAsked('missing-choice', prompt) ? Math.max(1, count - 1) : count
}

function isAsked(word: string, { turns }: Prompt): boolean {
  return new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i').test(lastRequest(turns))
}

/** Without tools, a call that nobody offered. */
function callsAsText(
  write: (name: string, args: JsonObject, json: string) => string,
  [start, end] = ['', ''],
): Distortion {
  return ({ text, calls }, { tools }) => {
    const own = calls.map(({ name, arguments: tokens }) => ({ name, json: tokens.join('') }))
    const made = tools.length === 0 ? [{ name: 'weather', json: '{"city":"Oslo"}' }] : own
    if (made.length === 0) return { text }
    const texts = made.map(({ name, json }) => write(name, parseJsonIfValid(json, {}) as JsonObject, json))
    return { text: `${start}${texts.join('')}${end}`, calls: [] }
  }
}

function kimi3Arguments(args: JsonObject): string {
  const texts = Object.entries(args).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `<|open|>argument key="${key}" type="${typeof value}"<|sep|>${text}<|close|>argument<|sep|>`
  })
  return texts.join('')
}

function calling(name: string, args: Json): Partial<WrittenAnswer> {
  return { text: '', calls: [{ id: 'call_0', name, arguments: tokenize(JSON.stringify(args)) }] }
}
