/**
 * The file format of a conversation: one JSON object per line. Turns and answers name their parent, so a conversation is a
 * tree: two processes can append to one file at the same time, and a turn can be sent again. The parts of an answer in
 * progress are in a file of their own, in the same format.
 */

import { isObject, type Json, type JsonObject } from '../io/json/json.ts'
import type { Delta } from '../stream/delta.ts'

export const formatVersion = 1

/** Times are ISO 8601, UTC with milliseconds. */
interface Dated {
  readonly at: string
}

/** The first line. */
export interface HeaderEntry extends Dated {
  readonly type: 'conversation'
  readonly version: number
  readonly id: string
}

export interface NameEntry extends Dated {
  readonly type: 'name'
  readonly name: string
}

/** What was sent, without the history. */
export interface TurnEntry extends Dated {
  readonly type: 'turn'
  readonly id: string
  /** The answer that it follows; absent for the first turn. */
  readonly parent?: string | undefined
  /** The turn that it replaces, which is undone. */
  readonly instead?: string | undefined
  /** The system prompt from this turn on. */
  readonly system?: string | undefined
  /** Where it was sent: `sandbox`, or the origin of the base URL. */
  readonly service?: string | undefined
  /** Chat messages (section 2.1), also if sent to another API. */
  readonly messages: readonly Json[]
}

/** The conversation continues after this node; what followed it is undone. */
export interface HeadEntry extends Dated {
  readonly type: 'head'
  /** A turn or an answer; absent if everything was undone. */
  readonly node?: string | undefined
}

export interface AnswerEntry extends Dated {
  readonly type: 'answer'
  readonly id: string
  /** The turn that it answers. */
  readonly parent: string
  /** As requested. */
  readonly model?: string | undefined
}

export type ContentDelta = Extract<Delta, { type: 'text' | 'reasoning' | 'refusal' | 'tool' | 'thinking' }>

/** The content of one network read. */
export interface PartEntry {
  readonly type: 'part'
  readonly answer: string
  readonly deltas: readonly ContentDelta[]
}

/** One choice of an answer, as in a reply that is not streamed. */
export interface Choice {
  readonly index: number
  readonly message: JsonObject
  readonly finish_reason: string | null
}

export interface EndEntry extends Dated {
  readonly type: 'end'
  readonly answer: string
  /** The serving model's name. */
  readonly model?: string | undefined
  readonly choices: readonly Choice[]
  readonly usage?: JsonObject | undefined
  /** Why the answer is incomplete. */
  readonly error?: string | undefined
}

export type Entry = HeaderEntry | NameEntry | TurnEntry | HeadEntry | AnswerEntry | PartEntry | EndEntry

/** The description of each line type for syn-sessions(1). */
export const entryHelp: Readonly<Record<Entry['type'], string>> = {
  conversation: `The first line: the format version (${formatVersion}) and the ID of the conversation.`,
  name: 'The name of the conversation; the last one applies.',
  turn:
    'What was sent: the ID, the parent (the answer that it follows), instead (the turn that it replaces), the messages ' +
    'in the format of the chat API, whichever API was used, system if the system prompt changes here, and the service: ' +
    'sandbox, or the base URL without its path.',
  head: 'Everything after this node was undone: the next turn follows it, or starts anew if there is no node.',
  answer: 'The start of an answer: the ID, the parent (the turn that it answers) and the requested model.',
  part:
    'One network read of an answer: deltas of type text, reasoning, refusal, tool or thinking. syn writes ' +
    'parts to ID.RUN.part, and also reads those in ID.jsonl.',
  end:
    'The end of an answer: its choices as complete messages with their finish_reason, the serving model, the usage, and ' +
    'the error if it is incomplete. A message with tool calls has the thinking_blocks that the messages API requires. ' +
    'An answer without this line is in progress or was interrupted, and consists of its parts.',
}

/** Reads a field; `undefined` if it is invalid. */
type Reader = (value: Json | undefined) => Json | undefined

const text: Reader = (value) => (typeof value === 'string' ? value : undefined)
const time: Reader = (value) => text(value) ?? ''
const number: Reader = (value) => (typeof value === 'number' ? value : undefined)
const object: Reader = (value) => (isObject(value) ? value : undefined)
/** Invalid items are skipped. */
const list =
  (isValid: (item: Json) => boolean): Reader =>
  (value) =>
    Array.isArray(value) ? value.filter(isValid) : undefined

/** A line without a field that is required is damaged. */
interface Format {
  readonly required: Readonly<Record<string, Reader>>
  readonly optional?: Readonly<Record<string, Reader>>
}

const formats: Readonly<Record<Entry['type'], Format>> = {
  conversation: { required: { at: time, version: number, id: text } },
  name: { required: { at: time, name: text } },
  turn: {
    required: { at: time, id: text, messages: list(() => true) },
    optional: { parent: text, instead: text, system: text, service: text },
  },
  head: { required: { at: time }, optional: { node: text } },
  answer: { required: { at: time, id: text, parent: text }, optional: { model: text } },
  part: { required: { answer: text, deltas: list(isContentDelta) } },
  end: {
    required: { at: time, answer: text, choices: list(isChoice) },
    optional: { model: text, usage: object, error: text },
  },
}

/** @returns `unknown` for an unknown type, perhaps of a newer version; `undefined` for a damaged entry. */
export function decodeEntry(json: Json): Entry | 'unknown' | undefined {
  if (!isObject(json) || typeof json.type !== 'string') return undefined
  const { type } = json
  if (!isType(type)) return 'unknown'
  const { required, optional } = formats[type]
  const entry: JsonObject = { type }
  for (const [name, read] of Object.entries({ ...required, ...optional })) {
    const value = read(json[name])
    if (value !== undefined) entry[name] = value
    else if (name in required) return undefined
  }
  return entry as JsonObject & Entry
}

function isType(type: string): type is Entry['type'] {
  return Object.hasOwn(formats, type)
}

function isContentDelta(value: Json): boolean {
  if (!isObject(value) || typeof value.index !== 'number') return false
  if (value.type === 'tool') return typeof value.call === 'number'
  if (value.type === 'thinking') return isObject(value.block)
  return (
    (value.type === 'text' || value.type === 'reasoning' || value.type === 'refusal') && typeof value.text === 'string'
  )
}

function isChoice(value: Json): boolean {
  return isObject(value) && typeof value.index === 'number' && isObject(value.message)
}
