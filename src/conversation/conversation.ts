/** A conversation, put together from the entries of its file: a tree of turns and answers. */

import type { JsonObject } from '../io/json.ts'
import type { AnswerEntry, Choice, Entry, HeadEntry, PartEntry, TurnEntry } from './entry.ts'
import { Gathered } from './gathered.ts'
import { callsOf, roleOf, textOf } from './message-text.ts'

export interface Answer {
  readonly kind: 'answer'
  readonly id: string
  parent: string | undefined
  /** When it was asked for, ISO 8601; empty when the file doesn't say. */
  at: string
  model: string | undefined
  /** The message that goes on: of several choices the first. */
  message: JsonObject
  /** Those of the other choices. */
  others: readonly JsonObject[]
  /** Why it is not whole. */
  error: string | undefined
}

export interface Turn extends TurnEntry {
  readonly kind: 'turn'
}

export type Node = Turn | Answer

/** What is said of an answer without an end: its run was killed, or goes on at this moment. */
const unended = 'the run ended before the answer did'

const longestTitle = 60

export class Conversation {
  readonly id: string
  /** Of the format; what a newer version wrote is not fully understood here. */
  version: number | undefined
  name: string | undefined
  /** ISO 8601; empty when the file doesn't say. */
  created = ''
  /** In the order of the file, so that whatever is followed stands before what follows it. */
  readonly #nodes: Node[] = []
  readonly #places = new Map<string, number>()
  readonly #parts = new Map<string, Gathered>()
  readonly #ended = new Set<string>()
  /** Where to go on from, when that is not the latest turn. */
  #head: HeadEntry | undefined
  readonly #takenBack = new Set<Node>()

  constructor(id: string, entries: readonly Entry[] = []) {
    this.id = id
    for (const entry of entries) this.add(entry)
    for (const [id, gathered] of this.#parts) this.#settle(this.#answer(id), gathered.choices())
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
        if (entry.instead !== undefined) this.#takeBack(this.#nodes[this.#places.get(entry.instead) ?? -1])
        return this.#push({ ...entry, kind: 'turn' })
      case 'head':
        return this.#goBackTo(entry)
      case 'answer':
        return this.#begin(entry)
      case 'part':
        return this.#gather(entry)
      case 'end': {
        const answer = this.#answer(entry.answer)
        this.#settle(answer, entry.choices)
        answer.error = entry.error
        this.#parts.delete(entry.answer)
        this.#ended.add(entry.answer)
      }
    }
  }

  /** The turns of all branches. */
  get turns(): readonly Turn[] {
    return this.#nodes.filter((node) => node.kind === 'turn')
  }

  get nodes(): readonly Node[] {
    return this.#nodes
  }

  /** Whether somebody took it back, or what it follows. */
  wasTakenBack(node: Node): boolean {
    return this.#takenBack.has(node)
  }

  /** From the beginning to the latest turn and its answer, where it has one, or to where what followed was taken back. */
  path(): Node[] {
    if (this.#head) return this.#pathTo(this.#places.get(this.#head.node ?? '') ?? -1)
    const place = this.#nodes.findLastIndex((node) => node.kind === 'turn')
    const turn = this.#nodes[place]
    const answer = this.#nodes.findLast(
      (node) => node.kind === 'answer' && node.parent === turn?.id && isAnswered(node),
    )
    return [...this.#pathTo(place), ...(answer ? [answer] : [])]
  }

  /** The path without a turn that got no answer: a new turn takes its place. */
  answeredPath(): Node[] {
    const path = this.path()
    return path.at(-1)?.kind === 'turn' ? path.slice(0, -1) : path
  }

  /** The model that answered last; where none has answered yet, the one that was asked. */
  get lastModel(): string | undefined {
    const answers = (nodes: readonly Node[]): Answer[] => nodes.filter((node) => node.kind === 'answer')
    return (answers(this.path()).at(-1) ?? answers(this.#nodes).at(-1))?.model
  }

  /** The name, or the first words of the first prompt. */
  get title(): string {
    return this.name ?? this.firstWords
  }

  get firstWords(): string {
    const turns = [...this.path(), ...this.#nodes].filter((node) => node.kind === 'turn')
    const first = turns.flatMap((turn) => turn.messages).find((message) => roleOf(message) === 'user')
    const text = textOf(first ?? null)
      .replace(/\s+/g, ' ')
      .trim()
    if (text.length <= longestTitle) return text
    return `${text.slice(0, longestTitle).replace(/\s+\S*$|[\ud800-\udbff]$/, '')}…`
  }

  #push(node: Node): void {
    if (this.#places.has(node.id)) return
    this.#places.set(node.id, this.#nodes.length)
    this.#nodes.push(node)
  }

  #begin({ id, at, parent, model }: AnswerEntry): void {
    const answer = this.#answer(id)
    answer.at = at
    answer.parent = parent
    answer.model = model
  }

  /** Known, or made: the line that began it may be damaged. */
  #answer(id: string): Answer {
    const known = this.#nodes[this.#places.get(id) ?? -1]
    if (known?.kind === 'answer') return known
    const parent = this.turns.at(-1)?.id
    const error = unended
    const answer: Answer = { kind: 'answer', id, parent, at: '', model: undefined, message: empty(), others: [], error }
    this.#push(answer)
    return answer
  }

  #settle(answer: Answer, [choice, ...others]: readonly Choice[]): void {
    answer.message = choice?.message ?? empty()
    answer.others = others.map(({ message }) => message)
  }

  /** What was said since, on the way so far, is taken back; where the way leads back to what had been, that holds again. */
  #goBackTo(head: HeadEntry): void {
    const before = this.path()
    this.#head = head
    const path = new Set(this.path())
    this.#takeBack(before.find((node) => !path.has(node)))
    for (const node of path) this.#takenBack.delete(node)
  }

  /** With all that follows it. */
  #takeBack(first: Node | undefined): void {
    const following = new Set<string | undefined>()
    for (const node of this.#nodes) {
      if (node !== first && !following.has(node.parent)) continue
      following.add(node.id)
      this.#takenBack.add(node)
    }
  }

  #gather({ answer, deltas }: PartEntry): void {
    this.#answer(answer)
    if (this.#ended.has(answer)) return
    const gathered = this.#parts.get(answer) ?? new Gathered()
    this.#parts.set(answer, gathered)
    gathered.note(deltas)
  }

  /** The way from the beginning to a node. */
  #pathTo(place: number): Node[] {
    const path: Node[] = []
    for (let at: number | undefined = place; at !== undefined && at >= 0; at = this.#placeBefore(at)) {
      const node = this.#nodes[at]
      if (node) path.unshift(node)
    }
    return path
  }

  /** Where a parent's line is damaged, what stands before in the file is the best guess. */
  #placeBefore(place: number): number | undefined {
    const node = this.#nodes[place]
    if (node?.kind === 'turn' && node.parent === undefined) return undefined
    const parent = this.#places.get(node?.parent ?? '') ?? place
    return parent < place ? parent : place - 1
  }
}

/** Whether an answer says anything that can be sent back. */
export function isAnswered(answer: { readonly message: JsonObject } | undefined): boolean {
  if (!answer) return false
  const { message } = answer
  return textOf(message) !== '' || callsOf(message).length > 0
}

function empty(): JsonObject {
  return { role: 'assistant', content: '' }
}
