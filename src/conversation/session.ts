/** The conversation that a run takes part in: which one it is, what a request sends of it, and recording what is added. */

import { UsageError } from '../errors.ts'
import { suggestion } from '../fields/nearest.ts'
import type { Json } from '../io/json.ts'
import { Conversation, isAnswered, messagesOf, systemOf, type Node, type TurnNode } from './conversation.ts'
import type { Entry } from './entry.ts'
import type { StoredConversation } from './folder.ts'
import { checkName, looksLikeId, newNodeId, normalizeName } from './id.ts'
import { ConversationRecorder, type AnswerRecorder } from './recorder.ts'
import { ConversationStore, type ConversationStoreOptions } from './store.ts'

export interface SessionOptions {
  readonly continue?: boolean
  readonly session?: string
  readonly save?: boolean
}

/** What one turn adds: an instruction that holds from here on, and messages. */
export interface NewTurn {
  readonly system?: string | undefined
  readonly messages: readonly Json[]
  /** The turn that it replaces: that turn and what followed it are taken back. */
  readonly instead?: TurnNode | undefined
  /** Whether it repeats that turn: then the turn and its answer stay current until there is another answer. */
  readonly isRetry?: boolean
}

/** Where a session starts; a conversation that is not kept has no file. */
interface Start {
  readonly conversation: Conversation
  readonly path: string | undefined
}

/**
 * @param isKeptByDefault Whether to keep the conversation where no option says so.
 * @throws UsageError when there is no such conversation; FailedError when it can't be read.
 */
export async function openSession(
  options: SessionOptions,
  storeOptions: ConversationStoreOptions,
  isKeptByDefault: boolean,
): Promise<Session> {
  const { continue: isLatest, session: text } = options
  const store = new ConversationStore(storeOptions)
  const isNamed = Boolean(isLatest) || text !== undefined
  const isKept = options.save ?? (isNamed || isKeptByDefault)
  const { stored, name } = text === undefined ? { stored: undefined } : await findOrName(store, text, storeOptions)
  const latest = isLatest ? await latestIn(store) : undefined
  return new Session(store, isKept, storeOptions, stored ?? latest, name)
}

async function latestIn(store: ConversationStore): Promise<StoredConversation> {
  const stored = await store.latest()
  if (stored) return stored
  throw new UsageError('there is no conversation to go on with', {
    hint: 'conversations on a terminal are kept, and others with --save',
  })
}

/** The conversation that `--session` names, or the name for a new one. */
async function findOrName(
  store: ConversationStore,
  text: string,
  { notify }: ConversationStoreOptions,
): Promise<{ stored?: StoredConversation | undefined; name?: string }> {
  if (looksLikeId(normalizeName(text))) return { stored: await store.find(text) }
  const name = checkName(text, '--session')
  const { stored, names } = await store.findByName(name)
  if (stored) return { stored }
  await notify(`there is no conversation ${JSON.stringify(name)} yet${suggestion(name, names)}: it begins now`)
  return { name }
}

export class Session {
  /** Whether the conversation is written to disk. */
  readonly isKept: boolean
  readonly #store: ConversationStore
  readonly #options: ConversationStoreOptions
  #name: string | undefined
  readonly #conversation: Conversation
  readonly #recorder: ConversationRecorder

  /** @param name For a new conversation. */
  constructor(
    store: ConversationStore,
    isKept: boolean,
    options: ConversationStoreOptions,
    start: Start = { conversation: new Conversation(''), path: undefined },
    name?: string,
  ) {
    this.isKept = isKept
    this.#store = store
    this.#options = options
    this.#conversation = start.conversation
    this.#name = start.conversation.name ?? name
    this.#recorder = new ConversationRecorder(start.conversation, start.path, store, options)
  }

  /** The last turn, when it got no answer: it can be sent again, and a new turn replaces it. */
  get unanswered(): TurnNode | undefined {
    const last = this.#conversation.path().at(-1)
    return last?.kind === 'turn' ? last : undefined
  }

  /** The model to continue with. */
  get lastModel(): string | undefined {
    return this.#conversation.lastModel
  }

  get name(): string | undefined {
    return this.#name
  }

  /** The instruction in force. */
  get system(): string | undefined {
    return systemOf(this.path)
  }

  /** The current branch. */
  get path(): readonly Node[] {
    return this.#conversation.path()
  }

  /** The name, or else the first words. */
  get title(): string {
    return this.#name ?? this.#conversation.firstWords
  }

  /** A new conversation, kept if this one is. */
  begin(): Session {
    return new Session(this.#store, this.isKept, this.#options)
  }

  /**
   * Another conversation, kept if this one is.
   * @param text A name, an ID or an ID prefix.
   * @throws UsageError when there is no such conversation; FailedError when it can't be read.
   */
  async load(text: string): Promise<Session> {
    return new Session(this.#store, this.isKept, this.#options, await this.#store.find(text))
  }

  /**
   * Takes back the last turn and its answer.
   * @returns the turn; `undefined` where there is none.
   */
  async undo(): Promise<TurnNode | undefined> {
    const turn = this.path.findLast((node) => node.kind === 'turn')
    if (!turn) return undefined
    const node = this.path[this.path.indexOf(turn) - 1]?.id
    if (this.#recorder.path !== undefined) await this.#open()
    await this.#recorder.write({ type: 'head', at: this.#time(), ...(node !== undefined && { node }) })
    await this.#recorder.close()
    return turn
  }

  /**
   * @returns the name as it is stored.
   * @throws UsageError for a name that is invalid or taken, FailedError when it can't be written.
   */
  async rename(text: string): Promise<string> {
    const name = checkName(text, '/rename')
    const { path } = this.#recorder
    if (path !== undefined) await this.#store.rename({ path }, name)
    else await this.#store.requireFreeName(name)
    this.#recorder.noteSize()
    this.#name = name
    return name
  }

  /**
   * A copy of the current branch as a conversation of its own.
   * @throws UsageError for a name that is invalid or taken.
   */
  async fork(text: string | undefined): Promise<Session> {
    const name = text === undefined ? undefined : checkName(text, '/fork')
    if (name !== undefined) await this.#store.requireFreeName(name)
    const entries = this.path.flatMap((node) => entriesOf(node, this.#time()))
    const start = this.isKept
      ? await this.#store.copy(name, entries)
      : { path: undefined, conversation: new Conversation('', entries) }
    return new Session(this.#store, this.isKept, this.#options, start, name)
  }

  /** The messages of a request: those of the branch that the turn follows, then the turn's own. */
  messagesWith(said: NewTurn): Json[] {
    const { system, messages } = this.#completed(said)
    return messagesOf(this.#pathBefore(said), messages, system)
  }

  /**
   * Begins a turn, which is written before anything is sent.
   * @param model As requested.
   */
  async record(said: NewTurn, model: Json): Promise<AnswerRecorder> {
    const answer = newNodeId()
    const before = this.path.at(-1)
    await this.#open()
    await this.#recorder.write(...this.#opening(said, answer, model))
    return this.#recorder.answerRecorder(answer, (accumulator, error) => {
      const end = accumulator.endEntry(answer, error, this.#time())
      return said.isRetry && !isAnswered(end.choices[0]) ? [end, ...this.#backTo(before)] : [end]
    })
  }

  /** A turn without messages sends the unanswered one again. */
  #completed({ system, messages, instead = this.unanswered }: NewTurn): NewTurn {
    return {
      system: system ?? instead?.system,
      messages: messages.length > 0 ? messages : (instead?.messages ?? []),
    }
  }

  /** The branch that a turn follows. */
  #pathBefore({ instead }: NewTurn): Node[] {
    if (!instead) return this.#conversation.answeredPath()
    const { path } = this
    return path.slice(0, Math.max(0, path.indexOf(instead)))
  }

  /** The entry with which the conversation continues after this answer. */
  #backTo(node: Node | undefined): Entry[] {
    return node?.kind === 'answer' ? [{ type: 'head', at: this.#time(), node: node.id }] : []
  }

  #opening(said: NewTurn, answer: string, model: Json): Entry[] {
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
    if (this.isKept) await this.#recorder.open(this.#name)
  }

  #time(): string {
    return new Date(this.#options.now()).toISOString()
  }
}

/** The entries for a node in a copy of its conversation. */
function entriesOf(node: Node, at: string): Entry[] {
  if (node.kind === 'turn') {
    const { kind: _kind, ...entry } = node
    return [entry]
  }
  const { id, parent = '', model, message, error } = node
  return [
    { type: 'answer', at, id, parent, ...(model !== undefined && { model }) },
    {
      type: 'end',
      at,
      answer: id,
      choices: [{ index: 0, message, finish_reason: null }],
      ...(error !== undefined && { error }),
    },
  ]
}
