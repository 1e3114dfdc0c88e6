/**
 * Slots that the processes of one person share at a service that takes few requests at a time: for each model, files in the
 * cache directory, each for a request in flight. A process that finds none free waits in line, with a file as well; single
 * requests are before the rows of batches there. A file that was not touched for a second is nobody's: its process was killed or
 * stopped.
 * Nothing here fails a request: if files cannot be written, it is sent at once.
 */

import {
  closeSync,
  existsSync,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isSystemError } from '../errors.ts'
import { directoryFor } from '../io/files/directories.ts'
import { makeFolder } from '../io/files/private.ts'
import type { Io } from '../io/io.ts'
import { pause } from '../io/time/time.ts'

/** In milliseconds. */
const touchInterval = 250
const staleAge = 1000
const pollInterval = 25
/** How often a batch looks for others in line, which takes 20 µs: some services answer a thousand rows in a second. */
const lookInterval = 5
/** How long a batch has a slot that another batch waits for. */
const batchShare = 1000
/** The owner of a slot may wait for this process: in a pipe, the first command waits for its reader. */
const longestWait = 300_000

/** In characters: most file systems allow names of 255 bytes. */
const longestPart = 100

export interface SlotOptions {
  readonly signal: AbortSignal
  /** How many rows of the batch may be in flight. Set for a row of a batch, which keeps its slot for the next row. */
  readonly rows?: (() => number) | undefined
  /** Called with `slot` if it must wait, without at the end. */
  readonly onWait?: ((wait?: 'slot') => void) | undefined
}

/** A file that exists as long as this process lives, or a second longer. */
class LiveFile {
  readonly path: string
  readonly since = performance.now()
  readonly #file: number

  /** @throws system errors, such as EEXIST. */
  constructor(path: string) {
    this.path = path
    this.#file = openSync(path, 'wx', 0o600)
    this.touch()
  }

  touch(): void {
    const now = new Date()
    try {
      futimesSync(this.#file, now, now)
    } catch {
      // It goes stale.
    }
  }

  /** Whether another process took it over, as this one was not scheduled for a second. */
  get isLost(): boolean {
    return fstatSync(this.#file).nlink === 0
  }

  remove(): void {
    try {
      if (!this.isLost) unlinkSync(this.path)
    } catch {
      // It goes stale.
    }
    closeSync(this.#file)
  }
}

export class RequestSlots {
  readonly #io: Pick<Io, 'env' | 'platform'>
  readonly #service: string
  /** The beginnings of the paths for the models of this process. */
  readonly #queues = new Set<string>()
  /** Slots and places in line of this process, by path. */
  readonly #files = new Map<string, LiveFile>()
  /** Slots between two rows. */
  readonly #kept: LiveFile[] = []
  #looked = 0
  #timer: NodeJS.Timeout | undefined

  /** @param service What its account and address have in common with those of other processes. */
  constructor(service: string, io: Pick<Io, 'env' | 'platform'>) {
    this.#service = nameOf(service)
    this.#io = io
  }

  /** Waits for a slot. @returns what gives it back at the end of a block; `undefined` without one. @throws the signal's reason. */
  async take(model: string, { signal, rows, onWait }: SlotOptions): Promise<Disposable | undefined> {
    const started = performance.now()
    let place: LiveFile | undefined
    try {
      const folder = directoryFor('cache', this.#io)
      const queue = join(folder, `${this.#service}.${nameOf(model)}.`)
      this.#queues.add(queue)
      let slot = rows && this.#takeKept(queue)
      if (!slot) makeFolder(folder)
      const order = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
      const placePath = `${queue}${rows ? 'row' : 'one'}-${order}`
      for (let most = 0; !slot;) {
        const names = this.#live(queue)
        const used = new Set(names.filter((path) => path.startsWith(`${queue}slot-`)))
        const before = names.filter((path) => !used.has(path) && path < placePath).length
        // More slots than are known to be possible may be in use, as by --jobs.
        most = Math.max(most, used.size, sharedCount(queue), rows?.() ?? 1)
        if (used.size + before < most) slot = this.#open(freeSlot(queue, used))
        else if (performance.now() - started > longestWait) return undefined
        else if (place) await pause(pollInterval, { signal })
        else {
          place = this.#open(placePath)
          onWait?.('slot')
        }
      }
      const taken = slot
      return { [Symbol.dispose]: () => this.#giveBack(taken, rows) }
    } catch {
      signal.throwIfAborted()
      return undefined
    } finally {
      if (place) {
        this.#remove(place)
        onWait?.()
      }
    }
  }

  /** Whether another process has a request to the service in flight, with any model: two names may stand for the same one. */
  get isShared(): boolean {
    try {
      const service = join(directoryFor('cache', this.#io), `${this.#service}.`)
      return this.#live(service).some((path) => path.includes('.slot-') && !this.#files.has(path))
    } catch {
      return false
    }
  }

  /** Stores how many requests at a time the service takes. @param isCut Whether it refused more; else only a higher number counts. */
  share(count: number, isCut: boolean): void {
    for (const queue of this.#queues) {
      try {
        if (count === 1 && isCut) rmSync(`${queue}count`, { force: true })
        else if (isCut || count > sharedCount(queue)) writeFileSync(`${queue}count`, `${count}\n`, { mode: 0o600 })
      } catch {
        // Best effort.
      }
    }
  }

  close(): void {
    for (const file of this.#files.values()) this.#remove(file)
  }

  /** A slot of the last row, unless others in line get it. */
  #takeKept(queue: string): LiveFile | undefined {
    const index = this.#kept.findLastIndex(({ path }) => path.startsWith(queue))
    const [slot] = index === -1 ? [] : this.#kept.splice(index, 1)
    const now = performance.now()
    if (slot?.isLost) {
      this.#remove(slot)
      return undefined
    }
    if (!slot || now - this.#looked < lookInterval) return slot
    const isShareOver = now - slot.since > batchShare
    const mayGoFirst = (path: string): boolean =>
      path.startsWith(`${queue}one-`) || (isShareOver && path.startsWith(`${queue}row-`) && !this.#files.has(path))
    if (this.#live(queue).some(mayGoFirst)) {
      this.#remove(slot)
      return undefined
    }
    this.#looked = now
    return slot
  }

  #giveBack(slot: LiveFile, rows: SlotOptions['rows']): void {
    if (rows && this.#kept.length < rows()) this.#kept.push(slot)
    else this.#remove(slot)
  }

  /** Files of all processes, in their order in line. Removes those of dead ones. */
  #live(start: string): string[] {
    const folder = directoryFor('cache', this.#io)
    const paths = readdirSync(folder).map((name) => join(folder, name))
    return paths.filter((path) => path.startsWith(start) && !path.endsWith('.count') && this.#isLive(path)).sort()
  }

  #isLive(path: string): boolean {
    if (this.#files.has(path)) return true
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    // `abs`: the clock may have been set back.
    const isLive = modified !== undefined && Math.abs(Date.now() - modified) < staleAge
    if (!isLive) rmSync(path, { force: true })
    return isLive
  }

  /** @returns `undefined` if another process made it first. */
  #open(path: string): LiveFile | undefined {
    try {
      const file = new LiveFile(path)
      this.#files.set(path, file)
      this.#timer ??= setInterval(() => this.#touchAll(), touchInterval).unref()
      return file
    } catch (error) {
      if (isSystemError(error) && error.code === 'EEXIST') return undefined
      throw error
    }
  }

  #touchAll(): void {
    // A batch that waits, as for its quota, must not keep slots from others. Between two rows, few slots are lost so.
    for (const slot of this.#kept.splice(0)) this.#remove(slot)
    for (const file of this.#files.values()) file.touch()
  }

  #remove(file: LiveFile): void {
    if (!this.#files.delete(file.path)) return
    const index = this.#kept.indexOf(file)
    if (index !== -1) this.#kept.splice(index, 1)
    file.remove()
    if (this.#files.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

function freeSlot(queue: string, used: ReadonlySet<string>): string {
  let index = 0
  while (used.has(`${queue}slot-${index}`)) index++
  return `${queue}slot-${index}`
}

/** How many requests at a time a batch has found to be possible. */
function sharedCount(queue: string): number {
  try {
    // Seldom there: to throw and catch an error costs a fifth of the search for a slot.
    return existsSync(`${queue}count`) ? Number(readFileSync(`${queue}count`, 'utf8')) || 1 : 1
  } catch {
    return 1
  }
}

function nameOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, longestPart)
}
