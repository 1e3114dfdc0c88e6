/** Recording a conversation while it goes on, in memory and in its file. The file is open only while a turn is written. */

import { statSync } from 'node:fs'
import { errorMessage, explain } from '../errors.ts'
import type { Delta } from '../stream/delta.ts'
import { AnswerAccumulator, contentDeltas } from './answer-accumulator.ts'
import type { Conversation } from './conversation.ts'
import type { Entry } from './entry.ts'
import type { LogWriter } from './log.ts'
import type { ConversationStore, ConversationStoreOptions } from './store.ts'

/** Records one answer while it comes. */
export interface AnswerRecorder {
  /** Writes each read before anybody sees it. */
  note(deltas: readonly Delta[]): Promise<void>
  /** @param error What broke the answer off; absent when it is whole. Must be called exactly once, in any case. */
  end(error?: unknown): Promise<void>
}

export class ConversationRecorder {
  readonly #conversation: Conversation
  readonly #store: ConversationStore
  readonly #notify: ConversationStoreOptions['notify']
  #path: string | undefined
  #writer: LogWriter | undefined
  /** The size in bytes after the last write of this run. */
  #size: number | undefined
  #hasReportedOthers = false

  /** @param path Absent until the conversation has a file. */
  constructor(
    conversation: Conversation,
    path: string | undefined,
    store: ConversationStore,
    { notify }: Pick<ConversationStoreOptions, 'notify'>,
  ) {
    this.#conversation = conversation
    this.#path = path
    this.#store = store
    this.#notify = notify
    this.noteSize()
  }

  get path(): string | undefined {
    return this.#path
  }

  /**
   * Without it, entries are recorded in memory only.
   * @param name For a new conversation.
   */
  async open(name: string | undefined): Promise<void> {
    await this.#reportOthers()
    await this.#attempt(async () => {
      this.#writer = this.#path === undefined ? await this.#store.create(name) : this.#store.open(this.#path)
      this.#path = this.#writer.path
    })
  }

  async write(...entries: readonly Entry[]): Promise<void> {
    // The end of an answer repeats its parts.
    for (const entry of entries) if (entry.type !== 'part') this.#conversation.add(entry)
    await this.#attempt(() => this.#writer?.write(...entries))
  }

  async close(): Promise<void> {
    await this.#attempt(() => this.#writer?.close())
    this.#writer = undefined
    this.noteSize()
  }

  /** Makes what the file holds now count as written by this run. */
  noteSize(): void {
    this.#size = sizeOf(this.#path)
  }

  /**
   * For the answer whose turn was just written; its end closes the file.
   * @param ending The entries that end it. `error` says why it is incomplete.
   */
  answerRecorder(
    answer: string,
    ending: (accumulator: AnswerAccumulator, error: string | undefined) => readonly Entry[],
  ): AnswerRecorder {
    const accumulator = new AnswerAccumulator()
    return {
      note: async (deltas) => {
        accumulator.add(deltas)
        const content = contentDeltas(deltas)
        if (content.length > 0) await this.write({ type: 'part', answer, deltas: content })
      },
      end: async (error) => {
        await this.write(...ending(accumulator, error === undefined ? undefined : errorMessage(error)))
        await this.close()
      },
    }
  }

  /** A failure to write must not cost the answer: it is reported once, and the rest is not written. */
  async #attempt(work: () => Promise<void> | void): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#writer = undefined
      await this.#notify(`the conversation is not kept: ${explain(error).message}`)
    }
  }

  async #reportOthers(): Promise<void> {
    const size = sizeOf(this.#path)
    if (this.#hasReportedOthers || size === undefined || size === this.#size) return
    this.#hasReportedOthers = true
    await this.#notify(
      'another run has written to this conversation meanwhile: what is said here goes on beside it, and -c follows ' +
        'whichever was said last',
    )
  }
}

function sizeOf(path: string | undefined): number | undefined {
  return path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size
}
