/** A conversation, built from the entries of its file: a tree of turns and answers, and the request messages of a branch. */

import { isObject, objectsIn, type Json, type JsonObject } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import { normalize } from '../io/text/normalize.ts'
import { isLoopback } from '../io/url.ts'
import { Answer } from '../stream/answer.ts'
import { type Account, choicesOf, type StoredChoice, type Entry, type EntryOf, type TurnEntry } from './entry.ts'
import {
  addMessages,
  callsIn,
  chatMessageText,
  isBlank,
  messageRole,
  oldImages,
  withoutImages,
  withSources,
} from './message.ts'

export interface AnswerNode {
  readonly type: 'answer'
  readonly id: string
  parent: string | undefined
  /** When it was requested and when it ended, ISO 8601; empty if unknown. */
  at: string
  endedAt?: string
  /** The requested model. */
  model?: string | undefined
  /** The serving model's name. */
  servedModel?: string | undefined
  /** The tokens, in the format of the entry; `undefined` if the service sent none. */
  usage?: JsonObject | undefined
  /** The first choice, with which the conversation continues. */
  message: JsonObject
  otherChoices: readonly JsonObject[]
  /** Why it is incomplete. */
  error: string | undefined
  /** Whether it summarizes the messages before its turn. */
  isSummary?: boolean
}

export type Node = TurnEntry | AnswerNode

/** The error of an answer without an end entry: its process was killed, or is still running. */
const incompleteError = 'syn was ended, or is still answering'

const emptyMessage: JsonObject = { role: 'assistant', content: '' }

const longestTitle = 60

export class Conversation {
  readonly id: string
  /** The version of the file format; a newer one may have unknown entries. */
  version: number | undefined
  name: string | undefined
  /** ISO 8601; empty if unknown. */
  created = ''
  /** The time of the last turn or answer, in milliseconds since 1970: the mtime of a file changes when it is copied. */
  lastActivity: number | undefined
  /** In file order: a parent comes before its children. */
  readonly #nodes: Node[] = []
  /** The index in `#nodes`, by id. */
  readonly #indexes = new Map<string, number>()
  /** By index in `#nodes`: the index of the node before it on its branch, -1 for the first one. */
  readonly #parents: number[] = []
  /** What has arrived of answers without an end. */
  readonly #parts = new Map<string, Answer>()
  readonly #ended = new Set<string>()
  /** The node after which the conversation continues, if not after the latest turn. */
  #head: EntryOf<'head'> | undefined

  constructor(id: string, entries: Iterable<Entry> = []) {
    this.id = id
    this.addAll(entries)
  }

  /** Adds the entries of its file, also those that it has. */
  addAll(entries: Iterable<Entry>): void {
    for (const entry of entries) this.add(entry)
    for (const [id, answer] of this.#parts) this.#setChoices(this.#answer(id), choicesOf(answer))
    this.#parts.clear()
  }

  add(entry: Entry): void {
    // Renaming and undoing do not count.
    if (entry.type === 'turn' || entry.type === 'answer' || entry.type === 'end') {
      const time = Date.parse(entry.at)
      if (!Number.isNaN(time)) this.lastActivity = time
    }
    switch (entry.type) {
      case 'conversation':
        this.version = entry.version
        this.created = entry.at
        return
      case 'name':
        this.name = normalize(entry.name)
        return
      case 'turn':
        this.#head = undefined
        return this.#push(entry)
      case 'head':
        this.#head = entry
        return
      case 'answer':
        return this.#startAnswer(entry)
      case 'part':
        return this.#addPart(entry)
      case 'end': {
        const answer = this.#answer(entry.answer)
        this.#setChoices(answer, entry.choices)
        answer.endedAt = entry.at
        answer.servedModel = entry.model
        answer.usage = entry.usage
        answer.error = entry.error
        this.#parts.delete(entry.answer)
        this.#ended.add(entry.answer)
      }
    }
  }

  /** The turns and answers of all branches. */
  get nodes(): readonly Node[] {
    return this.#nodes
  }

  /** The current branch, which ends with the latest turn and its answer, or with the node of the last head entry. */
  path({ withSummarized = false } = {}): Node[] {
    const path: Node[] = []
    for (let at = this.#end(); at >= 0;) {
      const node = this.#nodes[at]
      if (node) path.push(node)
      // What a summary stands for is not sent, but listed.
      const summarized = withSummarized && isSummaryTurn(node) ? this.#indexOf(node.summarizes) : -1
      at = summarized !== -1 && summarized < at ? summarized : (this.#parents[at] ?? -1)
    }
    return path.toReversed()
  }

  /** The last turn if it has no answer: it can be sent again, and a new turn replaces it, but not results of tools. */
  get unanswered(): TurnEntry | undefined {
    const last = this.path().at(-1)
    return last?.type === 'turn' && !hasOnlyResults(last) ? last : undefined
  }

  /** Whether the service is still to answer what was sent last. */
  get awaitsAnswer(): boolean {
    return this.path().at(-1)?.type === 'turn'
  }

  /** Whether the last answer has not ended, or is still to get the results of its calls. */
  get isAnswering(): boolean {
    const { id, parent } = this.#nodes.at(-1) ?? {}
    const last = this.path().at(-1)
    const isOpen = last !== undefined && (id === last.id || parent === last.id) && !this.#ended.has(id ?? '')
    return isOpen || (last?.type === 'answer' && callsIn(last.message).length > 0)
  }

  /** The current branch without an unanswered last turn. */
  answeredPath(): Node[] {
    const path = this.path()
    return this.unanswered ? path.slice(0, -1) : path
  }

  /** The model that answered last on the current branch, or else on any. */
  get lastModel(): string | undefined {
    return (answersIn(this.path()).at(-1) ?? answersIn(this.#nodes).at(-1))?.model
  }

  /** The account that answered last on the current branch, or else was asked last; `undefined` before that. */
  get account(): Account | undefined {
    return turnsIn(this.answeredPath()).at(-1) ?? turnsIn(this.path()).at(-1)
  }

  /** The name, or without one the first words. */
  get title(): string {
    return this.name ?? this.firstWords
  }

  /** The start of the first prompt, on one line, without the files that follow its words. */
  get firstWords(): string {
    const messages = turnsIn([...this.path({ withSummarized: true }), ...this.#nodes]).flatMap((turn) => turn.messages)
    const first = messages.find((message) => messageRole(message) === 'user')
    const text = chatMessageText(first ?? null)
      .replace(/(?<=\S)(\n\n[^\n]+)?:\n```[^]*$/, '')
      .replace(/\s+/g, ' ')
      .trim()
    if (text.length <= longestTitle) return text
    return `${text.slice(0, longestTitle).replace(/\s+\S*$|[\ud800-\udbff]$/, '')}…`
  }

  #push(node: Node): void {
    if (this.#indexes.has(node.id)) return
    const index = this.#nodes.length
    this.#indexes.set(node.id, index)
    this.#nodes.push(node)
    this.#parents.push(this.#parentIndex(index))
  }

  #indexOf(id: string | undefined): number {
    return this.#indexes.get(id ?? '') ?? -1
  }

  #startAnswer({ id, at, parent, model }: EntryOf<'answer'>): void {
    const answer = this.#answer(id)
    answer.at = at
    answer.parent = parent
    answer.model = model
    answer.isSummary = isSummaryTurn(this.#nodes[this.#indexOf(parent)])
    const index = this.#indexOf(id)
    this.#parents[index] = this.#parentIndex(index)
  }

  /** The answer with this id; a new one if its first line is damaged. */
  #answer(id: string): AnswerNode {
    const known = this.#nodes[this.#indexOf(id)]
    if (known?.type === 'answer') return known
    const parent = this.#nodes.findLast((node) => node.type === 'turn')?.id
    const answer: AnswerNode = {
      type: 'answer',
      id,
      parent,
      at: '',
      message: emptyMessage,
      otherChoices: [],
      error: incompleteError,
    }
    this.#push(answer)
    return answer
  }

  #setChoices(answer: AnswerNode, [choice, ...others]: readonly StoredChoice[]): void {
    answer.message = choice?.message ?? emptyMessage
    answer.otherChoices = others.map(({ message }) => message)
  }

  #addPart({ answer, deltas }: EntryOf<'part'>): void {
    this.#answer(answer)
    if (this.#ended.has(answer)) return
    const received = this.#parts.get(answer) ?? new Answer()
    this.#parts.set(answer, received)
    received.add(deltas)
  }

  /** The index of the last node of the current branch; -1 if there is none. */
  #end(): number {
    if (this.#head) return this.#indexOf(this.#head.node)
    const turn = this.#nodes.findLastIndex((node) => node.type === 'turn')
    for (let index = this.#nodes.length - 1; index > turn; index--) {
      const node = this.#nodes[index]
      if (node?.type === 'answer' && this.#parents[index] === turn && isAnswered(node)) return index
    }
    return turn
  }

  /** If the parent's line is damaged, the previous node in the file is the best guess. */
  #parentIndex(index: number): number {
    const node = this.#nodes[index]
    if (node?.type === 'turn' && node.parent === undefined) return -1
    const parent = this.#indexes.get(node?.parent ?? '') ?? index
    return parent < index ? parent : index - 1
  }
}

/** When a turn was sent or an answer ended, in milliseconds since 1970; NaN if unknown. */
export function timeOf({ at, endedAt = at }: Pick<AnswerNode, 'at' | 'endedAt'>): number {
  return Date.parse(endedAt)
}

export function turnsIn(nodes: readonly Node[]): TurnEntry[] {
  return nodes.filter((node) => node.type === 'turn')
}

/** Whether a turn only continues the one before with results of tools: nobody wrote a message for it. */
export function hasOnlyResults({ messages }: TurnEntry): boolean {
  return messages.every((message) => messageRole(message) === 'tool')
}

/** The turns that somebody wrote. */
export function writtenTurnsIn(nodes: readonly Node[]): TurnEntry[] {
  return turnsIn(nodes).filter((turn) => !hasOnlyResults(turn))
}

/** Whether the answer of a turn is a summary. */
export function isSummaryTurn(node: Node | undefined): node is TurnEntry & { summarizes: string } {
  return node?.type === 'turn' && node.summarizes !== undefined
}

export function answersIn(nodes: readonly Node[]): AnswerNode[] {
  return nodes.filter((node) => node.type === 'answer')
}

/** Whether an answer has content that a later request can include. */
export function isAnswered(answer: { readonly message: JsonObject } | undefined): boolean {
  return answer !== undefined && (!isBlank(chatMessageText(answer.message)) || callsIn(answer.message).length > 0)
}

/**
 * The messages of a branch for a chat request (section 2.1), which each API dialect converts to its own: only what services
 * take. The system prompt comes first. Reasoning is omitted, except before tool calls: models that think refuse these without
 * it. It is sent only to the service that produced it.
 * @param next The turn that follows. Its messages are `undefined` if they are not known yet.
 * @param to What the request goes to.
 */
export function branchMessages(
  path: readonly Node[],
  next: Partial<TurnEntry> = {},
  to: { readonly service?: string | undefined; readonly wantsTurns?: boolean | undefined } = {},
): Json[] {
  const { system = systemOf(path) } = next
  const omitting = next.omitsImages
    ? path.length
    : path.findLastIndex((node) => node.type === 'turn' && node.omitsImages)
  const old = oldImages([...path.map((node) => (node.type === 'turn' ? node.messages : [])), next.messages ?? []])
  const messages: Json[] = system ? [{ role: 'system', content: system }] : []
  const sourced = sourcedTurn(path, next)
  let asked: string | undefined
  for (const [index, node] of path.entries()) {
    if (node.type === 'turn') {
      asked = node.service
      const areResults = hasOnlyResults(node)
      const sent = areResults
        ? node.messages.filter(isResultIn(messages))
        : withSources(node.messages, node === sourced ? node : undefined)
      addMessages(messages, index < omitting || (areResults && index <= old) ? sent.map(withoutImages) : sent, to)
    } else {
      const following = path[index + 1]
      const { reasoning_content: _reasoning, ...others } = node.message
      const message = isSameService(asked, to.service) ? node.message : others
      const results = following?.type === 'turn' ? following.messages : next.messages
      // Turns begin with the user's, whose line may be damaged.
      if (to.wantsTurns && messages.every((one) => messageRole(one) === 'system')) continue
      addMessages(messages, answerMessages(message, results), to)
    }
  }
  return addMessages(messages, withSources(next.messages ?? [], next), to)
}

/** The turn whose parts of files are sent: the last one that somebody wrote, or else the one before. */
function sourcedTurn(path: readonly Node[], { messages = [], sources }: Partial<TurnEntry>): TurnEntry | undefined {
  if (sources) return undefined
  const isWritten = messages.some((message) => messageRole(message) === 'user')
  return writtenTurnsIn(path)
    .slice(isWritten ? -1 : -2)
    .findLast((turn) => turn.sources)
}

/** What stays on this machine is not kept apart: a local server's port changes. */
export function isSameService(one: string | undefined, other: string | undefined): boolean {
  const isLocal = (service = ''): boolean => URL.canParse(service) && isLoopback(new URL(service).hostname)
  return one === other || (isLocal(one) && isLocal(other))
}

/** The system prompt at the end of a branch; empty if it was removed. */
export function systemOf(path: readonly Node[]): string | undefined {
  return turnsIn(path).findLast(({ system }) => system !== undefined)?.system
}

/** Services refuse tool calls without results, and blank answers without calls (open-webui #25083): both are omitted. */
function answerMessages(message: JsonObject, next: readonly Json[] | undefined): JsonObject[] {
  const content = chatMessageText(message)
  const results = next && new Set(objectsIn([...next]).map(({ tool_call_id }) => tool_call_id))
  const calls = objectsIn(message.tool_calls).filter(({ id }) => !results || results.has(id))
  if (calls.length === 0) return isBlank(content) ? [] : [{ role: 'assistant', content }]
  const { thinking_blocks, reasoning_content } = message
  const tool_calls = calls.map(withParsedArguments)
  // The messages API left thinking blocks, the chat API reasoning: each takes back only its own.
  const reasoning =
    thinking_blocks !== undefined ? { thinking_blocks } : reasoning_content !== undefined && { reasoning_content }
  return [{ role: 'assistant', content: isBlank(content) ? '' : content, ...reasoning, tool_calls }]
}

/** @returns a test for results of calls in the last message: others, as of an answer whose line is damaged, are refused. */
function isResultIn(messages: readonly Json[]): (result: Json) => boolean {
  const ids = new Set<unknown>(callsIn(messages.at(-1) ?? null).map(({ id }) => id))
  return (result) => isObject(result) && (ids.has(result.tool_call_id) || (ids.size > 0 && result.role !== 'tool'))
}

/** Services refuse arguments that are no JSON object. */
function withParsedArguments(call: JsonObject): JsonObject {
  const called = isObject(call.function) ? call.function : {}
  const isValid = typeof called.arguments === 'string' && isObject(parseJsonIfValid(called.arguments))
  return isValid ? call : { ...call, function: { ...called, arguments: '{}' } }
}
