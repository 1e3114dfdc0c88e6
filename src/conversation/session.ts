/** The conversation of a run: selects it, makes the messages of its requests, and records its turns. */

import { utimes } from 'node:fs'
import { basename } from 'node:path'
import type { Dialect } from '../api/dialects.ts'
import { errorMessage, FailedError, TimeoutError, UsageError } from '../errors.ts'
import { suggestion } from '../fields/suggestion.ts'
import { type Sources, unknownPlaces } from '../input/sources.ts'
import { type Json, textSize } from '../io/json/json.ts'
import {
  type AnswerNode,
  Conversation,
  answersIn,
  branchMessages,
  isAnswered,
  type Node,
  systemOf,
  writtenTurnsIn,
} from './conversation.ts'
import { endEntry, type Entry, type TurnEntry } from './entry.ts'
import type { StoredConversation } from './folder.ts'
import { checkName, latestName, looksLikeId, newNodeId, normalizeName } from './id.ts'
import { chatMessageText } from './message.ts'
import { ConversationRecorder, copiedEntries, type AnswerRecorder } from './recorder.ts'
import { type ConversationStore, otherAccount } from './store.ts'
import { defer } from '../io/defer.ts'
import { statsOf } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import { andOthers } from '../io/text/plural.ts'
import { InputBudget } from '../io/process/input-budget.ts'
import { pause, second } from '../io/time/time.ts'
import type { Settings } from '../settings/settings.ts'

/** In milliseconds: so long after its last sign of life, a process counts as killed. */
const longestSilence = 5 * second

/** A turn to be sent. */
export interface NewTurn extends Sources {
  /** The system prompt from this turn on; `undefined` if it does not change. */
  readonly system?: string | undefined
  readonly messages: readonly Json[]
  /** What servers of tools say of their use: before the system prompt of its request, and not kept. */
  readonly instructions?: string
  /** The turn that it replaces: that turn and what follows it are undone. */
  readonly instead?: TurnEntry | undefined
  /** Whether the images of the messages before are not sent any more (default: as before). */
  readonly omitsImages?: boolean | undefined
  /** Whether it repeats that turn, which then stays current until the new answer has content. */
  readonly isRetry?: boolean
}

/**
 * @param isSavedByDefault Whether to save the conversation unless an option decides.
 * @throws UsageError if there is no such conversation, or others can change one that must be saved; FailedError if it cannot be
 * read, or such a one not written.
 */
export async function openSession(
  options: { continue?: boolean; session?: string; save?: boolean },
  store: ConversationStore,
  isSavedByDefault: boolean,
): Promise<Session> {
  const { continue: isLatest, session: text } = options
  const isNamed = Boolean(isLatest) || text !== undefined
  const isSaved = options.save ?? (isNamed || isSavedByDefault)
  const found = text === undefined ? undefined : await findOrName(store, text)
  const stored = found ?? (isNamed ? await store.latest() : undefined)
  if (isNamed && !stored) {
    throw new UsageError('no conversation to continue', {
      hint: 'conversations are saved on a terminal, and elsewhere with --save',
    })
  }
  // What could not be kept would be paid for all the same.
  if (isSaved && (options.save || store.options.onUnsaved)) store.checkWritable(stored?.path)
  if (isSaved && found?.notice !== undefined) await store.options.notify(found.notice)
  return new Session(store, isSaved, stored?.conversation, stored?.path)
}

/** The conversation that `--session` names, or a new one, with a notice if it is saved; `undefined` for the latest. */
async function findOrName(
  store: ConversationStore,
  text: string,
): Promise<(Partial<StoredConversation> & { notice?: string }) | undefined> {
  const given = normalizeName(text)
  if (looksLikeId(given)) return store.find(text)
  const name = given === latestName ? given : checkName(text, '--session')
  const { stored, names } = await store.findByName(name)
  if (stored || name === latestName) return stored
  const conversation = new Conversation('')
  conversation.name = name
  return { conversation, notice: `starting a new conversation ${JSON.stringify(name)}${suggestion(name, names)}` }
}

export class Session {
  readonly conversation: Conversation
  readonly #store: ConversationStore
  /** The file that it was read from. */
  readonly #path: string | undefined
  /** `undefined` if the conversation is not saved. */
  readonly #recorder: ConversationRecorder | undefined
  /** The ID of the answer that was recorded last, complete or not; `undefined` after it was undone. */
  #latestAnswer: string | undefined

  constructor(store: ConversationStore, isSaved: boolean, conversation = new Conversation(''), path?: string) {
    this.#store = store
    this.#path = path
    this.conversation = conversation
    this.#recorder = isSaved ? new ConversationRecorder(conversation, path, store) : undefined
  }

  get isSaved(): boolean {
    return this.#recorder !== undefined
  }

  /** The ID of its file; `undefined` if nothing was saved. */
  get savedId(): string | undefined {
    return this.#recorder?.hasFile ? basename(this.#recorder.path ?? '', '.jsonl') : undefined
  }

  /** The answer that arrived last, also if it has no text or was not kept; before the first, that of the current branch. */
  get lastAnswer(): AnswerNode | undefined {
    const latest = answersIn(this.conversation.nodes).findLast(({ id }) => id === this.#latestAnswer)
    return latest ?? answersIn(this.path).at(-1)
  }

  /** A notice of the places in the last answer that no part of files that was sent has; `undefined` without any. */
  get placesNotice(): string | undefined {
    const sent = writtenTurnsIn(this.path)
      .slice(-2)
      .findLast((turn) => turn.sources)
    if (!sent?.wantsPlaces || !this.lastAnswer) return undefined
    const unknown = unknownPlaces(chatMessageText(this.lastAnswer.message), sent.sources ?? [])
    return unknown[0] && `not among the parts that were sent: ${unknown[0]}${andOthers(unknown, 'place')}`
  }

  /** A warning if the conversation was held with another account than that of requests now. */
  get accountWarning(): string | undefined {
    const other = otherAccount(this.conversation, this.#store.options.account ?? {})
    return other && `this conversation was held with ${other.own}; from now on it goes to ${other.current}`
  }

  /** The current branch. */
  get path(): readonly Node[] {
    return this.conversation.path()
  }

  /**
   * Waits for the end of an answer that another process is writing, and takes it up: half of it must not be sent as the whole. A
   * process without a sign of life was killed.
   * @throws TimeoutError after --timeout; the signal's reason.
   */
  async settle({ io, settings }: { io: Io; settings: Settings }, signal = io.signal): Promise<void> {
    const { firstByteTimeout: limit } = settings.requestLimits()
    const started = io.elapsed()
    for (let [size, pauses] = [-1, 0]; this.conversation.isAnswering; pauses++) {
      const file = statsOf(this.#path ?? '')
      if (!file) return
      if (file.size !== size) {
        this.#store.update(this.#path ?? '', this.conversation)
        this.#recorder?.rememberSize()
        size = file.size
        continue
      }
      if (Math.abs(io.now() - file.mtimeMs) >= longestSilence) return
      const place = 'answering in this conversation'
      if (limit > 0 && io.elapsed() - started >= limit) {
        const hint = 'nothing was sent; --timeout says how long to wait'
        throw new TimeoutError(`another syn process is still ${place}`, { hint })
      }
      if (pauses === 10) await this.#store.options.notify(`another syn process is ${place}: waiting for its end`)
      await pause(second / 10, { signal })
    }
  }

  /** Shows other processes that this one is answering, by the time of the file, until it is disposed of. */
  signOfLife(): Disposable {
    const touch = (age: number): void => {
      const time = (this.#store.options.now() - age) / second
      // Without it, nobody waits: that is no reason to fail.
      utimes(this.#recorder?.path ?? '', time, time, () => undefined)
    }
    const timer = setInterval(touch, second, 0).unref()
    return defer(() => {
      clearInterval(timer)
      touch(2 * longestSilence)
    })
  }

  /** A new conversation, saved if this one is. */
  startNew(): Session {
    return new Session(this.#store, this.isSaved)
  }

  /** Another conversation; its new turns are saved if those of this one are. @throws as `find` of the store. */
  async load(text: string): Promise<Session> {
    const { conversation, path } = await this.#store.find(text)
    return new Session(this.#store, this.isSaved, conversation, path)
  }

  /**
   * Removes the last turn that somebody wrote, and all that follows it, from the current branch. What a summary stands for, or
   * an edit replaced, returns.
   * @returns the turn.
   */
  async undo(): Promise<TurnEntry | undefined> {
    const turn = writtenTurnsIn(this.path).at(-1)
    if (!turn) return undefined
    this.#latestAnswer = undefined
    const path = this.conversation.path({ withSummarized: true })
    const node = turn.undoTo ?? path[path.indexOf(turn) - 1]?.id
    if (this.#recorder?.hasFile) await this.#recorder.open()
    await this.#write({ type: 'head', at: this.#store.time(), node })
    await this.#recorder?.close()
    return turn
  }

  /**
   * @returns the name as it is stored.
   * @throws UsageError for a name that is invalid or taken, FailedError if it cannot be written or nothing is saved.
   */
  async rename(text: string): Promise<string> {
    const recorder = this.#recorder
    const hint = 'use /save FILE to write it to a file'
    if (!recorder) throw new FailedError('/rename: this conversation is not saved', { hint })
    const name = checkName(text, '/rename')
    const { path } = recorder
    if (path !== undefined) await this.#store.rename(path, name)
    else await this.#store.requireFreeName(name)
    recorder.rememberSize()
    this.conversation.name = name
    return name
  }

  /** A branch in a conversation that is not saved, to ask what may not be kept. */
  draft(path: readonly Node[]): Session {
    return new Session(this.#store, false, new Conversation('', copiedEntries(path)))
  }

  /** Continues from a summary of the current branch, the last answer of `draft`, to this request. It is written as a whole. */
  async summarize(draft: Session, request: Json): Promise<void> {
    const [turn, answer] = draft.path.slice(-2)
    if (turn?.type !== 'turn' || !answer) return
    const summarizes = this.conversation.answeredPath().at(-1)?.id
    const first = { ...turn, messages: [request], parent: undefined, summarizes, system: systemOf(draft.path) }
    this.#latestAnswer = answer.id
    await this.#recorder?.open()
    await this.#write(...copiedEntries([first, answer]))
    await this.#recorder?.close()
  }

  /**
   * The messages of a request: those of the branch that the turn follows, then the turn's own.
   * @param dialect That of the request.
   * @throws UsageError if they exceed the limit of a request's input.
   */
  messagesWith(turn: NewTurn, dialect?: Pick<Dialect, 'wantsTurns'>): Json[] {
    const to = { service: this.#store.options.account?.service, wantsTurns: dialect?.wantsTurns }
    const [path, next] = [this.#pathBefore(turn), this.#completed(turn)]
    const system = [turn.instructions, next.system ?? systemOf(path)].filter(Boolean).join('\n\n')
    const all = branchMessages(path, { ...next, system }, to)
    new InputBudget().take(textSize(all), 'the conversation with this message')
    return all
  }

  /** Starts a turn, which is written before anything is sent. @param model As requested. */
  async record(turn: NewTurn, model: Json): Promise<AnswerRecorder> {
    const [id, answer] = [newNodeId(), newNodeId()]
    const before = this.path.at(-1)
    const at = this.#store.time()
    const { account } = this.#store.options
    const { unanswered } = this.conversation
    const replaced = turn.instead ?? unanswered
    // A retry, and what replaces a message without an answer, are no edits, but may repeat one.
    const undoTo = turn.isRetry || replaced === unanswered ? replaced?.undoTo : before?.id
    const completed = this.#completed(turn)
    const parent = this.#pathBefore(turn).at(-1)?.id
    const answerOf = (asked: Json): Entry => {
      return { type: 'answer', at, id: answer, parent: id, model: typeof asked === 'string' ? asked : undefined }
    }
    await this.#recorder?.open()
    const turnEntry = { type: 'turn', at, id, parent, undoTo, ...account, ...completed } as const
    await this.#write(turnEntry, answerOf(model))
    this.#latestAnswer = answer
    return {
      changeModel: (asked) => this.#write(answerOf(asked)),
      add: async (deltas) => this.#recorder?.writePart(answer, deltas),
      end: async (received, error) => {
        const problem = error === undefined ? undefined : errorMessage(error)
        const end = endEntry(received, answer, problem, this.#store.time())
        const isInVain = turn.isRetry && !isAnswered(end.choices[0]) && before?.type === 'answer'
        // Back to the answer that was to be replaced.
        await this.#write(end, ...(isInVain ? [{ type: 'head', at: end.at, node: before.id } as const] : []))
        await this.#recorder?.close()
      },
    }
  }

  async #write(...entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) this.conversation.add(entry)
    await this.#recorder?.write(...entries)
  }

  /** A turn without messages repeats the unanswered one. */
  #completed(turn: NewTurn) {
    const { system, messages, omitsImages, sources, wantsPlaces, instead = this.conversation.unanswered } = turn
    const repeated = messages.length > 0 ? undefined : instead
    return {
      system: system ?? instead?.system,
      omitsImages: omitsImages ?? instead?.omitsImages,
      messages: repeated?.messages ?? messages,
      ...(sources ? { sources, wantsPlaces } : { sources: repeated?.sources, wantsPlaces: repeated?.wantsPlaces }),
    }
  }

  /** The branch before a new turn. */
  #pathBefore({ instead }: NewTurn): Node[] {
    if (!instead) return this.conversation.answeredPath()
    const { path } = this
    return path.slice(0, Math.max(0, path.indexOf(instead)))
  }
}
