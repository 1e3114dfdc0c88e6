/**
 * The file format of a conversation: one JSON object per line. Turns and answers name their parent, so a conversation is a
 * tree: two processes can append to one file at the same time, and a turn can be sent again. The parts of an answer in
 * progress are in a file of their own, in the same format.
 */

import type { Source } from '../input/sources.ts'
import { isObject, type Json, type JsonObject } from '../io/json/json.ts'
import type { Answer } from '../stream/answer.ts'
import { type Delta, encodeUsage } from '../stream/delta.ts'
import { assistantMessage } from './message.ts'

export const formatVersion = 1

type ContentDelta = Extract<Delta, { type: 'text' | 'reasoning' | 'refusal' | 'tool' | 'thinking' | 'restart' }>

/** One choice of an answer, as in a reply that is not streamed. */
export interface StoredChoice {
  readonly index: number
  readonly message: JsonObject
  readonly finish_reason: string | null
}

/** Reads a field; `undefined` if it is invalid. */
type Reader<Value> = (value: Json | undefined) => Value | undefined

const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)
/** ISO 8601, UTC with milliseconds; empty if it is invalid. */
const time: Reader<string> = (value) => text(value) ?? ''
const number: Reader<number> = (value) => (typeof value === 'number' ? value : undefined)
const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
const object: Reader<JsonObject> = (value) => (isObject(value) ? value : undefined)
/** Invalid items are skipped. */
const list =
  <Item>(isValid: (item: Json) => boolean): Reader<readonly Item[]> =>
  (value) =>
    Array.isArray(value) ? (value.filter(isValid) as Item[]) : undefined

interface Format {
  /** For syn-sessions(1). */
  readonly help: string
  /** A line without one of these is damaged. */
  readonly required: Readonly<Record<string, Reader<unknown>>>
  readonly optional: Readonly<Record<string, Reader<unknown>>>
}

/** By the type of the line. */
export const entryFormats = {
  conversation: {
    help: `The first line: the format version (${formatVersion}) and the ID of the conversation.`,
    required: { at: time, version: number, id: text },
    optional: {},
  },
  name: {
    help: 'The name of the conversation; the last one applies.',
    required: { at: time, name: text },
    optional: {},
  },
  turn: {
    help:
      'What was sent: the ID, the parent (the answer that it follows), the messages ' +
      'in the format of the chat API, whichever API was used (images of results in a user message named tool_results), system if the system prompt changes here, the service: ' +
      'sandbox, or the base URL without its path, and the profile, unless SYN_API_KEY was set. undoTo is the end of the ' +
      'branch that an edit replaced. With summarizes, ' +
      'the ID of a node, the answer is a summary of the branch up to that node, from which the conversation continues. With ' +
      'omitsImages, the images before it are not sent. sources are the parts of files that --from sends with it and, unless it ' +
      'has others, with the next turn; with wantsPlaces, the answer is to name their places.',
    required: { at: time, id: text, messages: list<Json>(() => true) },
    optional: {
      parent: text,
      undoTo: text,
      summarizes: text,
      system: text,
      service: text,
      profile: text,
      omitsImages: flag,
      sources: list<Source>(isSource),
      wantsPlaces: flag,
    },
  },
  head: {
    help: 'Everything after this node was undone: the next turn follows it, or starts anew if there is no node.',
    required: { at: time },
    optional: { node: text },
  },
  answer: {
    help:
      'The start of an answer: the ID, the parent (the turn that it answers) and the requested model. If that is gone or ' +
      'overloaded, --fallback repeats the line with the model that is asked instead.',
    required: { at: time, id: text, parent: text },
    optional: { model: text },
  },
  part: {
    help:
      'One network read of an answer: deltas of type text, reasoning, refusal, tool or thinking, or restart. syn writes ' +
      'parts to ID.RUN.part, and also reads those in ID.jsonl.',
    required: { answer: text, deltas: list<ContentDelta>(isContentDelta) },
    optional: {},
  },
  end: {
    help:
      'The end of an answer: its choices as complete messages with their finish_reason, the serving model, the usage, the number of ' +
      'requests if earlier answers were not what was asked for, and the error if it is incomplete. A message with tool calls has the thinking_blocks that the messages API requires; its ' +
      'reasoning_content is sent back on the chat API. ' +
      'An answer without this line is in progress or was interrupted, and consists of its parts.',
    required: { at: time, answer: text, choices: list<StoredChoice>(isChoice) },
    optional: { model: text, usage: object, requests: number, error: text },
  },
} as const satisfies Readonly<Record<string, Format>>

type EntryType = keyof typeof entryFormats

type Values<Readers> = { readonly [Name in keyof Readers]: Readers[Name] extends Reader<infer Value> ? Value : never }

export type EntryOf<Type extends EntryType> = { readonly type: Type } & Values<
  (typeof entryFormats)[Type]['required']
> & { [Name in keyof Optional<Type>]?: Optional<Type>[Name] | undefined }

type Optional<Type extends EntryType> = Values<(typeof entryFormats)[Type]['optional']>

export type Entry = { [Type in EntryType]: EntryOf<Type> }[EntryType]

/** What was sent, without the history. */
export type TurnEntry = EntryOf<'turn'>

/** What requests go to, and the profile whose key they have; either may be unknown. */
export type Account = Pick<TurnEntry, 'service' | 'profile'>

/** @returns `unknown` for an unknown type, perhaps of a newer version; `undefined` for a damaged entry. */
export function decodeEntry(json: Json): Entry | 'unknown' | undefined {
  if (!isObject(json) || typeof json.type !== 'string') return undefined
  const { type } = json
  if (!isType(type)) return 'unknown'
  const { required, optional }: Format = entryFormats[type]
  const entry: Record<string, unknown> = { type }
  for (const [name, read] of Object.entries({ ...required, ...optional })) {
    const value = read(json[name])
    if (value !== undefined) entry[name] = value
    else if (name in required) return undefined
  }
  return entry as unknown as Entry
}

function isType(type: string): type is EntryType {
  return Object.hasOwn(entryFormats, type)
}

function isContentDelta(value: Json): boolean {
  if (!isObject(value)) return false
  if (value.type === 'restart') return true
  if (typeof value.index !== 'number') return false
  if (value.type === 'tool') return typeof value.call === 'number'
  if (value.type === 'thinking') return isObject(value.block)
  if (typeof value.text !== 'string') return false
  return value.type === 'text' || value.type === 'reasoning' || value.type === 'refusal'
}

function isChoice(value: Json): boolean {
  return isObject(value) && typeof value.index === 'number' && isObject(value.message)
}

function isSource(value: Json): boolean {
  if (!isObject(value) || typeof value.path !== 'string' || typeof value.text !== 'string') return false
  return typeof value.first === 'number' && typeof value.last === 'number'
}

/** Ordered by index. */
export function choicesOf(received: Answer): StoredChoice[] {
  return received.choices.map(([index, choice]) => {
    return { index, message: assistantMessage(choice), finish_reason: choice.finishReason ?? null }
  })
}

/** @param error Why the answer is incomplete. */
export function endEntry(received: Answer, answer: string, error: string | undefined, at: string): EntryOf<'end'> {
  const { model, usage, requests } = received
  const paid = { usage: usage && encodeUsage(usage), requests: requests > 1 ? requests : undefined }
  return { type: 'end', at, answer, model, choices: choicesOf(received), ...paid, error }
}
