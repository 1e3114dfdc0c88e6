import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { UsageError } from '../errors.ts'

/** What standard input is connected to. `none` also stands for an input that was closed before the start. */
export type InputKind = 'terminal' | 'pipe' | 'file' | 'socket' | 'none'

/** How long a pipe may stay silent before the user is told that it is being read, in milliseconds. */
const silenceBeforeNotice = 2000

/** Standard input, which can be read once: whoever reads it says for what, so that a second reader can be told. */
export class StandardInput {
  readonly kind: InputKind
  /** Told once when nothing has arrived for two seconds. */
  onSilence: (() => void) | undefined
  /** The flag or argument that reads it, once there is one. */
  reader: string | undefined
  readonly #open: () => Readable

  /** @param open Touched only when somebody reads: merely naming process.stdin opens it. */
  constructor(kind: InputKind, open: () => Readable) {
    this.kind = kind
    this.#open = open
  }

  /** The terminal itself, for questions to a person; only where `kind` is `terminal`. */
  openTerminal(): ReadStream {
    return this.#open() as ReadStream
  }

  /**
   * Claims standard input and reads it to its end.
   * @param reader Names who wants it, for the error that the next one gets.
   * @throws UsageError when it was claimed before.
   */
  async read(reader: string, signal?: AbortSignal): Promise<Uint8Array> {
    if (this.reader !== undefined) {
      throw new UsageError(`${this.reader} and ${reader} both read standard input; only one of them can`)
    }
    signal?.throwIfAborted()
    this.reader = reader
    if (this.kind === 'none') return new Uint8Array()
    const silence = setTimeout(() => this.onSilence?.(), silenceBeforeNotice)
    const stream = this.#open()
    const stop = (): void => void stream.destroy(signal?.reason as Error)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const chunks: Uint8Array[] = []
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        clearTimeout(silence)
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    } finally {
      clearTimeout(silence)
      signal?.removeEventListener('abort', stop)
    }
  }
}
