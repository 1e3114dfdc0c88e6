import { createHash } from 'node:crypto'
import { NewFile, removeFile } from '../../io/files/regular-file.ts'
import { type BatchFiles, type RenamedFile, temporaryPath } from '../journal/files.ts'
import type { Digest } from '../input/source.ts'

/** In characters, of what is written at once. */
const pieceSize = 256 * 1024

/** A file of results or of what belongs to them, written in large pieces, which knows its digest. */
export class ResultFile extends NewFile {
  #held = ''
  readonly #hash = createHash('sha256')
  /** In bytes: where the next text starts. */
  size = 0

  /** Replaces what a run that was killed has left of it. @throws FailedError */
  constructor(files: BatchFiles, name: RenamedFile) {
    super(files[name], { path: temporaryPath(files, name), mode: files.mode })
    removeFile(this.path)
    this.opened()
  }

  /** @throws FailedError */
  async add(text: string): Promise<void> {
    this.#held += text
    this.size += Buffer.byteLength(text)
    if (this.#held.length >= pieceSize) await this.#flush()
  }

  /** Closes it when it is on the disk. @throws FailedError */
  async end(): Promise<Digest> {
    await this.#flush()
    await this.finish(true)
    return { size: this.size, hash: this.#hash.digest('hex') }
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#held)
    this.#held = ''
    this.#hash.update(bytes)
    await this.write(bytes)
  }
}
