import { NetworkError } from '../errors.ts'
import { type Delta, isContent } from './delta.ts'
import { announcesCalls, finishKind } from './finish-reason.ts'
import { reportedError } from './service-message.ts'

/** Which choices of a reply have started, and which have ended. */
export class Progress {
  readonly #count: number
  readonly #ended = new Set<number>()
  readonly #open = new Set<number>()
  /** The choices whose finish reason says that they call tools. */
  readonly #announced = new Set<number>()
  /** By choice: whether each call has a name, by its number. */
  readonly #calls = new Map<number, Map<number, boolean>>()

  constructor(count: number) {
    this.#count = count
  }

  /** @throws NetworkError if the service could not complete the answer. */
  record(delta: Delta): void {
    if (delta.type === 'end') {
      if (delta.error !== undefined) throw reportedError(delta.error)
      const reason = delta.reason === 'abort' ? '' : ` (${delta.reason})`
      if (finishKind(delta.reason) === 'failed') throw new NetworkError(`the service aborted the answer${reason}`)
      this.#open.delete(delta.index)
      this.#ended.add(delta.index)
      if (announcesCalls(delta.reason)) this.#announced.add(delta.index)
    } else if (isContent(delta)) {
      this.#open.add(delta.index)
      if (delta.type === 'tool') this.#recordCall(delta)
    }
  }

  #recordCall({ index, call, name }: Extract<Delta, { type: 'tool' }>): void {
    const calls = this.#calls.get(index) ?? new Map<number, boolean>()
    this.#calls.set(index, calls.set(call, name !== undefined || calls.get(call) === true))
  }

  /** At the end: a finish reason may come before its calls, and arguments before a name. @throws NetworkError */
  checkCalls(): void {
    if ([...this.#announced].some((index) => !this.#calls.has(index))) {
      throw new NetworkError('the answer announced a tool call and ended without one', { retryable: true })
    }
    // Sent back, it would be refused in each request that follows.
    const isNameless = [...this.#calls.values()].some((calls) => [...calls.values()].includes(false))
    if (isNameless) throw new NetworkError('the service sent a tool call without a name')
  }

  get hasAny(): boolean {
    return this.#ended.size > 0 || this.#open.size > 0
  }

  /** Whether some choices have ended, and others have not: some services number the parts of an answer as choices. */
  get hasSomeOnly(): boolean {
    return this.#ended.size > 0 && [...this.#open].some((index) => !this.#ended.has(index))
  }

  get hasAll(): boolean {
    return this.#ended.size >= this.#count && this.#open.size === 0
  }
}
