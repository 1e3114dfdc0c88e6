/** A conversation, built from the entries of its file: a tree of turns and answers, and the messages a branch of it sends. */

import type { Json, JsonObject } from '../io/json.ts'
import { AnswerAccumulator } from './answer-accumulator.ts'
import type { AnswerEntry, Choice, Entry, HeadEntry, PartEntry, TurnEntry } from './entry.ts'
import { messageCalls, messageRole, messageText } from './message.ts'

export interface AnswerNode {
  readonly kind: 'answer'
  readonly id: string
  parent: string | undefined
  /** When it was requested, ISO 8601; empty when the file doesn't say. */
  at: string
  /** As requested. */
  model: string | undefined
  /** The first choice, from which the conversation continues. */
  message: JsonObject
  /** The other choices. */
  others: readonly JsonObject[]
  /** Why it is incomplete. */
  error: string | undefined
}

export interface TurnNode extends TurnEntry {
  readonly kind: 'turn'
}

export type Node = TurnNode | AnswerNode

/** The error of an answer without an end entry: its run was killed, or is still going. */
const unended = 'the run ended before the answer did'

const longestTitle = 60

export class Conversation {
  readonly id: string
  /** Of the format: entries of a newer version may be unknown here. */
  version: number | undefined
  name: string | undefined
  /** ISO 8601; empty when the file doesn't say. */
  created = ''
  /** In the order of the file: parents come before what follows them. */
  readonly #nodes: Node[] = []
  /** By id, the index among the nodes. */
  readonly #indexes = new Map<string, number>()
  /** Of the answers that have no end yet. */
  readonly #parts = new Map<string, AnswerAccumulator>()
  readonly #ended = new Set<string>()
  /** Where the conversation continues, when that is not after the latest turn. */
  #head: HeadEntry | undefined
  readonly #takenBack = new Set<Node>()

  constructor(id: string, entries: readonly Entry[] = []) {
    this.id = id
    for (const entry of entries) this.add(entry)
    for (const [id, answer] of this.#parts) this.#setChoices(this.#answer(id), answer.choices())
    this.#parts.clear()
  }

  add(entry: Entry): void {
    switch (entry.type) {
      case 'conversation':
        this.version = entry.version
        this.created = entry.at
        return
      case 'name':
        this.name = entry.name.normalize('NFC')
        return
      case 'turn':
        this.#head = undefined
        if (entry.instead !== undefined) this.#takeBack(this.#nodes[this.#indexes.get(entry.instead) ?? -1])
        return this.#push({ ...entry, kind: 'turn' })
      case 'head':
        return this.#goBackTo(entry)
      case 'answer':
        return this.#begin(entry)
      case 'part':
        return this.#addPart(entry)
      case 'end': {
        const answer = this.#answer(entry.answer)
        this.#setChoices(answer, entry.choices)
        answer.error = entry.error
        this.#parts.delete(entry.answer)
        this.#ended.add(entry.answer)
      }
    }
  }

  /** The turns of all branches. */
  get turns(): readonly TurnNode[] {
    return this.#nodes.filter((node) => node.kind === 'turn')
  }

  get nodes(): readonly Node[] {
    return this.#nodes
  }

  /** Whether it, or a node before it on its branch, was taken back. */
  wasTakenBack(node: Node): boolean {
    return this.#takenBack.has(node)
  }

  /** The current branch: up to the latest turn and its answer, or to the node that the last head entry names. */
  path(): Node[] {
    if (this.#head) return this.#pathTo(this.#indexes.get(this.#head.node ?? '') ?? -1)
    const index = this.#nodes.findLastIndex((node) => node.kind === 'turn')
    const turn = this.#nodes[index]
    const answer = this.#nodes.findLast(
      (node) => node.kind === 'answer' && node.parent === turn?.id && isAnswered(node),
    )
    return [...this.#pathTo(index), ...(answer ? [answer] : [])]
  }

  /** The current branch without a final turn that got no answer: a new turn replaces it. */
  answeredPath(): Node[] {
    const path = this.path()
    return path.at(-1)?.kind === 'turn' ? path.slice(0, -1) : path
  }

  /** The model that answered last on the current branch; where none has, the one asked last. */
  get lastModel(): string | undefined {
    const answers = (nodes: readonly Node[]): AnswerNode[] => nodes.filter((node) => node.kind === 'answer')
    return (answers(this.path()).at(-1) ?? answers(this.#nodes).at(-1))?.model
  }

  /** The name, or else the first words. */
  get title(): string {
    return this.name ?? this.firstWords
  }

  /** The beginning of the first prompt, on one line. */
  get firstWords(): string {
    const turns = [...this.path(), ...this.#nodes].filter((node) => node.kind === 'turn')
    const first = turns.flatMap((turn) => turn.messages).find((message) => messageRole(message) === 'user')
    const text = messageText(first ?? null)
      .replace(/\s+/g, ' ')
      .trim()
    if (text.length <= longestTitle) return text
    return `${text.slice(0, longestTitle).replace(/\s+\S*$|[\ud800-\udbff]$/, '')}…`
  }

  #push(node: Node): void {
    if (this.#indexes.has(node.id)) return
    this.#indexes.set(node.id, this.#nodes.length)
    this.#nodes.push(node)
  }

  #begin({ id, at, parent, model }: AnswerEntry): void {
    const answer = this.#answer(id)
    answer.at = at
    answer.parent = parent
    answer.model = model
  }

  /** The answer of this id; a new one where the line that began it is damaged. */
  #answer(id: string): AnswerNode {
    const known = this.#nodes[this.#indexes.get(id) ?? -1]
    if (known?.kind === 'answer') return known
    const parent = this.turns.at(-1)?.id
    const error = unended
    const answer: AnswerNode = {
      kind: 'answer',
      id,
      parent,
      at: '',
      model: undefined,
      message: empty(),
      others: [],
      error,
    }
    this.#push(answer)
    return answer
  }

  #setChoices(answer: AnswerNode, [choice, ...others]: readonly Choice[]): void {
    answer.message = choice?.message ?? empty()
    answer.others = others.map(({ message }) => message)
  }

  /** Takes back what this leaves off the current branch, and restores what it puts on it again. */
  #goBackTo(head: HeadEntry): void {
    const before = this.path()
    this.#head = head
    const path = new Set(this.path())
    this.#takeBack(before.find((node) => !path.has(node)))
    for (const node of path) this.#takenBack.delete(node)
  }

  /** With everything that follows it. */
  #takeBack(first: Node | undefined): void {
    const following = new Set<string | undefined>()
    for (const node of this.#nodes) {
      if (node !== first && !following.has(node.parent)) continue
      following.add(node.id)
      this.#takenBack.add(node)
    }
  }

  #addPart({ answer, deltas }: PartEntry): void {
    this.#answer(answer)
    if (this.#ended.has(answer)) return
    const accumulator = this.#parts.get(answer) ?? new AnswerAccumulator()
    this.#parts.set(answer, accumulator)
    accumulator.add(deltas)
  }

  /** The branch that ends with the node of this index. */
  #pathTo(index: number): Node[] {
    const path: Node[] = []
    for (let at: number | undefined = index; at !== undefined && at >= 0; at = this.#parentIndex(at)) {
      const node = this.#nodes[at]
      if (node) path.unshift(node)
    }
    return path
  }

  /** Where a parent's line is damaged, the node before it in the file is the best guess. */
  #parentIndex(index: number): number | undefined {
    const node = this.#nodes[index]
    if (node?.kind === 'turn' && node.parent === undefined) return undefined
    const parent = this.#indexes.get(node?.parent ?? '') ?? index
    return parent < index ? parent : index - 1
  }
}

/** Whether an answer has anything that a later request can send back. */
export function isAnswered(answer: { readonly message: JsonObject } | undefined): boolean {
  if (!answer) return false
  const { message } = answer
  return messageText(message) !== '' || messageCalls(message).length > 0
}

function empty(): JsonObject {
  return { role: 'assistant', content: '' }
}

/**
 * A branch as the messages of a chat request (section 2.1), from which each API family makes its own. The instruction in
 * force comes first. Reasoning is left out, except for the thinking blocks that led to tool calls.
 * @param next The messages that follow.
 * @param system The instruction in force.
 */
export function messagesOf(path: readonly Node[], next: readonly Json[] = [], system = systemOf(path)): Json[] {
  const messages = path.flatMap((node, index) => {
    if (node.kind === 'turn') return [...node.messages]
    const following = path[index + 1]
    return answerMessages(node.message, following?.kind === 'turn' ? following.messages : next)
  })
  return [...(system ? [{ role: 'system', content: system }] : []), ...messages, ...next]
}

/** The instruction in force at the end of a branch; empty where it was withdrawn. */
export function systemOf(path: readonly Node[]): string | undefined {
  return path.flatMap((node) => (node.kind === 'turn' && node.system !== undefined ? [node.system] : [])).at(-1)
}

/** Services refuse tool calls without results: those are left out, and with them an answer of nothing else. */
function answerMessages(message: JsonObject, next: readonly Json[]): Json[] {
  const content = messageText(message)
  const hasResults = next.length === 0 || messageRole(next[0] ?? null) === 'tool'
  if (message.tool_calls !== undefined && hasResults) {
    const { thinking_blocks: thinking, tool_calls: calls } = message
    return [
      { role: 'assistant', content, ...(thinking !== undefined && { thinking_blocks: thinking }), tool_calls: calls },
    ]
  }
  return content === '' ? [] : [{ role: 'assistant', content }]
}
