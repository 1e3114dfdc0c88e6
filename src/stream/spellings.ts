/**
 * Calls of tools that a model writes and no gateway reads: a row for each family of models of which a whole stream is known
 * (called-as-text*.sse in the fixtures of the tests).
 */

import { exactJson, withExactNumbers } from '../io/json/exact-numbers.ts'
import { isObject } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'

interface SpelledCall {
  readonly name: string
  /** JSON text. Of a call that is cut, it is not valid. */
  readonly arguments: string
}

interface Spelling {
  readonly start: string
  readonly end: string
  /** What its content begins with, after white space. */
  readonly first: RegExp
  /** @returns `undefined` if it is no call. @param isWhole Whether the content has its end. */
  read(content: string, isWhole: boolean): SpelledCall | undefined
}

const kimi3: Spelling = {
  start: '<|open|>call tool="',
  end: '<|close|>call<|sep|>',
  first: /\w/,
  read(content, isWhole) {
    const [, name, given = ''] = /^([\w.-]+)(?:"[^<]*(?:<\|sep\|>)?)?(.*)$/s.exec(content) ?? []
    if (name === undefined) return undefined
    const [, json] = /^\s*<\|open\|>json\b[^<]*<\|sep\|>(.*?)(?:<\|close\|>json<\|sep\|>\s*)?$/s.exec(given) ?? []
    if (json !== undefined) return { name, arguments: json }
    const parts = given.split('<|close|>argument<|sep|>')
    const isRead = parts.pop()?.trim() === '' && isWhole
    return { name, arguments: `{${parts.map(kimi3Argument).join(',')}${isRead ? '}' : ''}` }
  },
}

/** @returns a member of an object, as JSON text; for anything else, text that is no JSON. */
function kimi3Argument(text: string): string {
  const found = /^\s*<\|open\|>argument key="([^"]*)"(?: type="(\w*)")?[^<]*<\|sep\|>(.*)$/s.exec(text)
  const [, key = '', type, value = ''] = found ?? []
  const isJson = type !== 'string' && parseJsonIfValid(value) !== undefined
  return found ? `${JSON.stringify(withoutEntities(key))}:${isJson ? value : JSON.stringify(value)}` : ''
}

function withoutEntities(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
  return text.replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity)
}

const kimi2: Spelling = {
  start: '<|tool_call_begin|>',
  end: '<|tool_call_end|>',
  first: /\w/,
  read(content) {
    const parts = /^\s*(?:functions\.)?([\w.-]+)(?::\d*)?\s*(?:<\|tool_call_argument_begin\|>(.*)|<[\w|]*)?$/s
    const [, name, given = '{'] = parts.exec(content) ?? []
    const json = parseJsonIfValid(given)
    // MoonshotAI/Kimi-K2 #26
    return name === undefined ? undefined : { name, arguments: typeof json === 'string' ? json : given }
  },
}

/** Qwen and Hermes. */
const qwen: Spelling = {
  start: '<tool_call>',
  end: '</tool_call>',
  first: /\{/,
  read(content) {
    const call = parseJsonIfValid(content)
    const known = /^\s*\{\s*"(?:name"\s*:\s*"([\w.-]+)|arguments"\s*:)/.exec(content)
    if (!isObject(call)) return known ? { name: known[1] ?? '', arguments: content } : undefined
    const { name: named, arguments: given = {} } = withExactNumbers(call, content)
    if (typeof named !== 'string') return undefined
    return { name: named, arguments: typeof given === 'string' ? given : exactJson(given) }
  },
}

const spellings = [kimi3, kimi2, qwen]

/** What stands behind calls, and leaks behind other answers. */
export const closings = [
  '<|close|>think<|sep|>',
  '<|close|>tools<|sep|>',
  '<|close|>response<|sep|>',
  '<|close|>message<|sep|>',
  '<|tool_calls_section_end|>',
  '<|tool_call_section_end|>',
  '<|im_end|>',
]

/** What may begin a line, and be no text. */
export const markers = [
  ...spellings.map(({ start }) => start),
  '<|open|>tools<|sep|>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_section_begin|>',
  ...closings,
]

/** What a call that is cut has before its name, in characters. */
const maxNameless = 24

/**
 * Reads calls and markers, with blanks between them.
 * @returns `textAt`, where something else stands. Without it, all is no text if nothing follows, unless it is `short`: the
 *   beginning of a marker, which may be anything.
 */
export function readSpelled(text: string): { calls: SpelledCall[]; textAt?: number; isShort?: boolean } {
  const calls: SpelledCall[] = []
  for (let at = 0; ;) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    const rest = text.slice(at)
    const marker = markers.find((one) => rest.startsWith(one))
    if (marker === undefined) {
      if (!markers.some((one) => one.startsWith(rest))) return { calls, textAt: at }
      return { calls, isShort: at === 0 && rest.length < 3 }
    }
    at += marker.length
    const spelling = spellings.find(({ start }) => start === marker)
    if (!spelling) continue
    // By its head alone, so that it makes no difference in which pieces it comes, and before the long search for the end.
    const head = text
      .slice(at)
      .trimStart()
      .slice(0, maxNameless + 1)
    const isCall =
      head === '' || (spelling.first.test(head[0] ?? '') && (head.length <= maxNameless || spelling.read(head, false)))
    if (!isCall) return { calls, textAt: at }
    const end = text.indexOf(spelling.end, at)
    const content = text.slice(at, end === -1 ? undefined : end)
    const call = spelling.read(content, end !== -1)
    if (call) calls.push(call)
    else if (head.length > maxNameless) return { calls, textAt: at + content.length }
    else if (end !== -1) return { calls, textAt: at }
    if (end === -1) return { calls }
    at = end + spelling.end.length
  }
}
