/** The file of a conversation that goes on: open while something is said, and watched for what others write between. */

import { statSync } from 'node:fs'
import { explain } from '../errors.ts'
import type { Entry } from './entry.ts'
import type { Place } from './place.ts'
import type { Store } from './store.ts'
import type { Writer } from './writer.ts'

export class ConversationFile {
  readonly #store: Store
  readonly #place: Place
  #path: string | undefined
  #writer: Writer | undefined
  /** In bytes, when this run saw it last. */
  #size: number | undefined
  #hasToldOfOthers = false

  /** @param path Absent until there is one. */
  constructor(store: Store, place: Place, path: string | undefined) {
    this.#store = store
    this.#place = place
    this.#path = path
    this.see()
  }

  get path(): string | undefined {
    return this.#path
  }

  /** @param name Of a conversation that begins now. */
  async open(name: string | undefined): Promise<void> {
    await this.#tellOfOthers()
    await this.#trying(async () => {
      this.#writer = this.#path === undefined ? await this.#store.create(name) : this.#store.open(this.#path)
      this.#path = this.#writer.path
    })
  }

  /** Nothing is written while it isn't open. */
  async write(...entries: readonly Entry[]): Promise<void> {
    await this.#trying(() => this.#writer?.write(...entries))
  }

  async close(): Promise<void> {
    await this.#trying(() => this.#writer?.close())
    this.#writer = undefined
    this.see()
  }

  /** What stands there now is known to this run. */
  see(): void {
    this.#size = sizeOf(this.#path)
  }

  /** What can't be kept must not cost the answer: it is told once, and no more is written. */
  async #trying(work: () => Promise<void> | void): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#writer = undefined
      await this.#place.say(`the conversation is not kept: ${explain(error).message}`)
    }
  }

  async #tellOfOthers(): Promise<void> {
    const size = sizeOf(this.#path)
    if (this.#hasToldOfOthers || size === undefined || size === this.#size) return
    this.#hasToldOfOthers = true
    await this.#place.say(
      'another run has written to this conversation meanwhile: what is said here goes on beside it, and -c follows ' +
        'whichever was said last',
    )
  }
}

function sizeOf(path: string | undefined): number | undefined {
  return path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size
}
