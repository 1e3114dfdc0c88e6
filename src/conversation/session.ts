/** The conversation that a run takes part in: what was said before, and keeping what is said now. */

import type { Json } from '../io/json.ts'
import type { Delta } from '../stream/delta.ts'
import { contentOf } from './content.ts'
import { ConversationFile } from './conversation-file.ts'
import { Conversation, isAnswered, type Node, type Turn } from './conversation.ts'
import { ending } from './ending.ts'
import type { Entry } from './entry.ts'
import { Gathered } from './gathered.ts'
import { checkName, newNodeId } from './id.ts'
import { entriesOf } from './node-entries.ts'
import { messagesOf, systemOf } from './messages.ts'
import type { Place } from './place.ts'
import type { Store } from './store.ts'

/** What is said in one turn: an instruction that holds from here on, and messages. */
export interface Said {
  readonly system?: string | undefined
  readonly messages: readonly Json[]
  /** The turn in whose place it is said: what came after that turn no longer belongs to the conversation. */
  readonly instead?: Turn | undefined
  /** Whether it says the same as that turn: then the turn and its answer stay while no other answer comes. */
  readonly isRetry?: boolean
}

/** Records one answer while it comes. */
export interface AnswerRecorder {
  /** Writes each read before anybody sees it. */
  note(deltas: readonly Delta[]): Promise<void>
  /** @param error What broke the answer off; absent when it is whole. Must be called exactly once, in any case. */
  end(error?: unknown): Promise<void>
}

/** A conversation that goes on; one that is not kept has no file. */
interface Begun {
  readonly conversation: Conversation
  readonly path: string | undefined
}

export class Session {
  /** Whether what is said is written to the disk. */
  readonly isKept: boolean
  readonly #store: Store
  readonly #place: Place
  #name: string | undefined
  readonly #conversation: Conversation
  readonly #file: ConversationFile

  /** @param name Of a conversation that begins now. */
  constructor(store: Store, isKept: boolean, place: Place, stored?: Begun, name?: string) {
    this.isKept = isKept
    this.#store = store
    this.#place = place
    this.#file = new ConversationFile(store, place, stored?.path)
    this.#name = stored?.conversation.name ?? name
    this.#conversation = stored?.conversation ?? new Conversation('')
  }

  /** The last turn, when it got no answer: it can be asked again, and what is said instead takes its place. */
  get unanswered(): Turn | undefined {
    const last = this.#conversation.path().at(-1)
    return last?.kind === 'turn' ? last : undefined
  }

  /** The model to go on with. */
  get lastModel(): string | undefined {
    return this.#conversation.lastModel
  }

  /** The name, if it has one. */
  get name(): string | undefined {
    return this.#name
  }

  /** The instruction in force. */
  get system(): string | undefined {
    return systemOf(this.path)
  }

  /** What was said so far and not taken back. */
  get path(): readonly Node[] {
    return this.#conversation.path()
  }

  /** The name, or the first words. */
  get title(): string {
    return this.#name ?? this.#conversation.firstWords
  }

  /** Another conversation, kept or not as this one is. */
  begin(): Session {
    return new Session(this.#store, this.isKept, this.#place)
  }

  /** @throws UsageError when the conversation that is meant is not there. */
  async load(text: string): Promise<Session> {
    return new Session(this.#store, this.isKept, this.#place, await this.#store.find(text))
  }

  /**
   * Takes the last turn back, and its answer.
   * @returns the turn; nothing where there is none.
   */
  async undo(): Promise<Turn | undefined> {
    const turn = this.path.findLast((node) => node.kind === 'turn')
    if (!turn) return undefined
    const node = this.path[this.path.indexOf(turn) - 1]?.id
    if (this.#file.path !== undefined) await this.#open()
    await this.#write({ type: 'head', at: this.#time(), ...(node !== undefined && { node }) })
    await this.#file.close()
    return turn
  }

  /** @throws UsageError for a name that won't do or is taken, FailedError when it can't be written. */
  async rename(text: string): Promise<string> {
    const name = checkName(text, '/rename')
    const { path } = this.#file
    if (path !== undefined) await this.#store.rename({ path }, name)
    else await this.#store.mustBeFree(name)
    this.#file.see()
    this.#name = name
    return name
  }

  /**
   * Goes on in a conversation of its own, which holds what was said so far.
   * @throws UsageError for a name that won't do or is taken.
   */
  async fork(text: string | undefined): Promise<Session> {
    const name = text === undefined ? undefined : checkName(text, '/fork')
    if (name !== undefined) await this.#store.mustBeFree(name)
    const entries = this.path.flatMap((node) => entriesOf(node, this.#time()))
    const stored = this.isKept
      ? await this.#store.copy(name, entries)
      : { path: undefined, conversation: new Conversation('', entries) }
    return new Session(this.#store, this.isKept, this.#place, stored, name)
  }

  /** The messages of a request that says this after all that was said before. */
  messagesWith(said: Said): Json[] {
    const { system, messages } = this.#completed(said)
    return messagesOf(this.#pathBefore(said), messages, system)
  }

  /**
   * Begins a turn: what is said is written before anything is sent.
   * @param model As requested.
   */
  async record(said: Said, model: Json): Promise<AnswerRecorder> {
    const answer = newNodeId()
    const gathered = new Gathered()
    const before = this.path.at(-1)
    await this.#open()
    await this.#write(...this.#opening(said, answer, model))
    return {
      note: async (deltas) => {
        gathered.note(deltas)
        const content = contentOf(deltas)
        if (content.length > 0) await this.#write({ type: 'part', answer, deltas: content })
      },
      end: async (error) => {
        const reason = error === undefined ? undefined : (error as Error).message
        const end = ending(answer, gathered, reason, this.#time())
        await this.#write(end, ...(said.isRetry && !isAnswered(end.choices[0]) ? this.#backTo(before) : []))
        await this.#file.close()
      },
    }
  }

  /** Where nothing new is said, the last turn is said again. */
  #completed({ system, messages, instead = this.unanswered }: Said): Said {
    return {
      system: system ?? instead?.system,
      messages: messages.length > 0 ? messages : (instead?.messages ?? []),
    }
  }

  /** What a turn follows. */
  #pathBefore({ instead }: Said): Node[] {
    if (!instead) return this.#conversation.answeredPath()
    const { path } = this
    return path.slice(0, Math.max(0, path.indexOf(instead)))
  }

  /** The conversation goes on after this answer. */
  #backTo(node: Node | undefined): Entry[] {
    return node?.kind === 'answer' ? [{ type: 'head', at: this.#time(), node: node.id }] : []
  }

  #opening(said: Said, answer: string, model: Json): Entry[] {
    const at = this.#time()
    const turn = newNodeId()
    const { system, messages } = this.#completed(said)
    const parent = this.#pathBefore(said).at(-1)?.id
    return [
      {
        type: 'turn',
        at,
        id: turn,
        ...(parent !== undefined && { parent }),
        ...(said.instead && { instead: said.instead.id }),
        ...(system !== undefined && { system }),
        messages,
      },
      { type: 'answer', at, id: answer, parent: turn, ...(typeof model === 'string' && { model }) },
    ]
  }

  async #open(): Promise<void> {
    if (this.isKept) await this.#file.open(this.#name)
  }

  async #write(...entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) if (entry.type !== 'part') this.#conversation.add(entry)
    await this.#file.write(...entries)
  }

  #time(): string {
    return new Date(this.#place.now()).toISOString()
  }
}
