/** Records a conversation in its file, which is open only while a turn is written. */

import { isSystemError, reasonOf } from '../errors.ts'
import { statsOf } from '../io/files/stats.ts'
import type { Answer } from '../stream/answer.ts'
import { isContent, type Delta } from '../stream/delta.ts'
import type { Conversation, Node } from './conversation.ts'
import type { Entry } from './entry.ts'
import { partsPath } from './folder.ts'
import { ConversationFileWriter } from './conversation-file.ts'
import type { ConversationStore } from './store.ts'

/** Records one answer while it arrives. */
export interface AnswerRecorder {
  /** Called before another model is asked instead. */
  changeModel(model: string): Promise<void>
  /** Called with each read before it is shown. */
  add(deltas: readonly Delta[]): Promise<void>
  /** Must be called exactly once. @param answer With its texts. @param error Why it is incomplete; absent if it is complete. */
  end(answer: Answer, error?: unknown): Promise<void>
}

export class ConversationRecorder {
  readonly #conversation: Conversation
  readonly #store: ConversationStore
  /** `undefined` until the conversation has a file. */
  path: string | undefined
  #writer: ConversationFileWriter | undefined
  /** For the parts of the answer in progress. */
  #parts: ConversationFileWriter | undefined
  /** What the file lacks, since it could not be written: it is tried again with what follows. */
  #unwritten: Entry[] = []
  /** Whether a part could not be written: what would follow is of no use without it. */
  #isPartLost = false
  /** In bytes, after the last write of this process. */
  #size: number | undefined
  #hasWarnedOfOthers = false
  /** Why nothing could be written, as was reported. */
  #failure: string | undefined

  constructor(conversation: Conversation, path: string | undefined, store: ConversationStore) {
    this.#conversation = conversation
    this.path = path
    this.#store = store
    this.rememberSize()
  }

  /** Whether the conversation has a file, which another process may have removed. */
  get hasFile(): boolean {
    return this.path !== undefined && statsOf(this.path) !== undefined
  }

  /** Opens the file, or a new one with the current branch if another process has removed it, or a part of it. */
  async open(): Promise<void> {
    await this.#warnOfOthers()
    await this.#attempt(async () => {
      this.#store.checkWriters()
      this.#writer = this.path === undefined ? undefined : this.#reopen(this.path)
      if (this.#writer) {
        // The last write may have ended within a line.
        if (this.#unwritten.length > 0) this.#writer.endLine()
      } else if (this.path !== undefined) {
        this.path = undefined
        this.#unwritten = copiedEntries(this.#conversation.path({ withSummarized: true }))
        await this.#store.options.notify('this conversation was deleted or cut: a new one goes on from here')
      }
      this.#writer ??= await this.#store.create(this.#conversation.name)
      this.path = this.#writer.path
    })
  }

  /** After `open`. What cannot be written now is written with what follows. */
  async write(...entries: readonly Entry[]): Promise<void> {
    this.#unwritten = [...this.#unwritten, ...entries]
    await this.#attempt(() => {
      this.#writer?.write(...this.#unwritten)
      if (this.#writer) this.#unwritten = []
    })
  }

  /** A part of an answer: not to the log, where the end of the answer repeats what it has. */
  async writePart(answer: string, deltas: readonly Delta[]): Promise<void> {
    const content = deltas.filter((delta) => delta.type === 'thinking' || delta.type === 'restart' || isContent(delta))
    if (!this.#writer || this.#isPartLost || content.length === 0) return
    const part = { type: 'part', answer, deltas: content } as const
    const { path } = this.#writer
    try {
      this.#parts ??= new ConversationFileWriter(partsPath(path, answer), { isNew: true })
    } catch {
      // The directory takes no new file: then the log has the parts, too.
      return this.#attempt(() => this.#writer?.write(part))
    }
    try {
      this.#parts.write(part)
    } catch {
      // Nothing is lost yet: the end of the answer has all of it, and may find room.
      this.#isPartLost = true
    }
  }

  /** Closes the file. The parts of the answer are removed only if its end is on the disk. */
  async close(): Promise<void> {
    await this.#attempt(() => {
      this.#writer?.close()
      if (this.#writer) this.#parts?.discard()
    })
    this.#writer = undefined
    this.#parts = undefined
    this.#isPartLost = false
    this.rememberSize()
  }

  /** Counts the current content of the file as written by this process. */
  rememberSize(): void {
    this.#size = fileSize(this.path)
  }

  /** @returns `undefined` if the file, or a part of it, is gone. */
  #reopen(path: string): ConversationFileWriter | undefined {
    const size = fileSize(path)
    // If the file cannot be looked at, opening it says why.
    if (size !== undefined && size < (this.#size ?? 0)) return undefined
    try {
      return new ConversationFileWriter(path)
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOENT') return undefined
      throw error
    }
  }

  /** A failed write must not cost the answer: it is reported once, and nothing more is written until the next turn. */
  async #attempt(work: () => Promise<void> | void): Promise<void> {
    try {
      await work()
      if (this.#writer) this.#failure = undefined
    } catch (error) {
      this.#writer = undefined
      const { notify, onUnsaved = notify } = this.#store.options
      const failure = `cannot save the conversation: ${reasonOf(error)}`
      if (failure !== this.#failure) await onUnsaved(failure)
      this.#failure = failure
    }
  }

  async #warnOfOthers(): Promise<void> {
    const size = fileSize(this.path)
    if (this.#hasWarnedOfOthers || size === undefined || size <= (this.#size ?? -1)) return
    this.#hasWarnedOfOthers = true
    await this.#store.options.notify(
      'another syn process has written to this conversation: this one continues on a branch of its own, and -c continues ' +
        'the branch with the latest turn',
    )
  }
}

/** The entries of a branch, for a copy of its conversation. */
export function copiedEntries(path: readonly Node[]): Entry[] {
  return path.flatMap((node): Entry[] => {
    // The branch that it replaced is not copied.
    if (node.type === 'turn') return [{ ...node, undoTo: undefined }]
    const { at, endedAt = at, id, parent = '', model, servedModel, usage, message, error } = node
    const choices = [{ index: 0, message, finish_reason: null }]
    return [
      { type: 'answer', at, id, parent, model },
      { type: 'end', at: endedAt, answer: id, model: servedModel, choices, usage, error },
    ]
  })
}

function fileSize(path: string | undefined): number | undefined {
  return path === undefined ? undefined : statsOf(path)?.size
}
