/** The conversations that were kept: found, begun, renamed, removed. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { FailedError, UsageError } from '../errors.ts'
import { suggestion } from '../fields/nearest.ts'
import { makePrivate, withLock } from '../io/private.ts'
import { Conversation } from './conversation.ts'
import { formatVersion, type Entry, type NameEntry } from './entry.ts'
import { Folder, extension, type Attempt, type File, type Stored } from './folder.ts'
import { isLikeId, nameOf, newId } from './id.ts'
import type { Place } from './place.ts'
import { reasonOf } from './reason.ts'
import { Writer } from './writer.ts'

/** What a file holds that has a name. */
const namingLine = /"type"\s*:\s*"name"/

/** After so many files signals are heard. */
const filesAtOnce = 64

interface LookedUp {
  readonly stored: Stored | undefined
  /** Of all that have one, the latest first. */
  readonly names: string[]
}

export class Store {
  readonly #place: Place
  readonly #folder: Folder

  constructor(place: Place) {
    this.#place = place
    this.#folder = new Folder(place)
  }

  /**
   * The latest first. What is wrong with any of them is told.
   * @throws FailedError when the folder can't be read, as do all that look for conversations.
   */
  async list(): Promise<Stored[]> {
    const attempts = await this.#attempts()
    for (const attempt of attempts) await this.#folder.tell(attempt)
    return begunIn(attempts)
  }

  /** What is wrong with those that are passed over is told: they may be the ones that were meant. */
  async latest(): Promise<Stored | undefined> {
    for (const file of this.#folder.files()) {
      const attempt = this.#folder.read(file)
      await this.#folder.tell(attempt)
      if (attempt.stored && hasBegun(attempt.stored)) return attempt.stored
    }
    return undefined
  }

  /**
   * @param text A name, an id, or the beginning of one.
   * @throws UsageError when there is none, or more than one; FailedError when it can't be read.
   */
  async find(text: string): Promise<Stored> {
    const name = nameOf(text)
    if (!isLikeId(name)) {
      const { stored, names } = await this.lookUp(name)
      return stored ?? notFound(text, names)
    }
    const files = this.#folder.files()
    const meant = files.filter(({ id }) => id.startsWith(name))
    const file = onlyOne(name, meant, ({ id }) => id)
    return file ? this.#open(file) : notFound(text, idsOf(files))
  }

  /**
   * Finds one by its name, also one that another run has just named, and not yet said anything in.
   * @throws UsageError when there is more than one.
   */
  async lookUp(name: string): Promise<LookedUp> {
    const attempts = await this.#attempts(namingLine)
    const found = onlyNamed(name, attempts)
    // Of the others nobody asked; but where none is found, it may be one that can't be read.
    const telling = found ? [found] : attempts.filter(({ stored }) => stored === undefined)
    for (const attempt of telling) await this.#folder.tell(attempt)
    return { stored: found?.stored, names: namesOf(attempts) }
  }

  /**
   * Begins a conversation, or opens the one of this name that another run began meanwhile.
   * @throws what the system reports.
   */
  async create(name: string | undefined): Promise<Writer> {
    if (name === undefined) return this.#create([])
    return withLock(this.#place.folder, async () => {
      const begun = await this.#named(name)
      return begun ? this.open(begun.path) : this.#create([this.#naming(name)])
    })
  }

  /** @throws what the system reports, also when the file is gone. */
  open(path: string): Writer {
    return new Writer(path, this.#place.mask)
  }

  /** @throws UsageError when there is a conversation of this name. */
  async mustBeFree(name: string): Promise<void> {
    const other = await this.#named(name)
    if (other) throw nameTaken(name, other)
  }

  /** @throws UsageError when another one has this name, FailedError when it can't be written. */
  async rename({ path }: Pick<Stored, 'path'>, name: string): Promise<void> {
    await withLock(this.#place.folder, async () => {
      const other = await this.#named(name)
      if (other && other.path !== path) {
        throw nameTaken(name, other)
      }
      const writer = this.open(path)
      writer.write(this.#naming(name))
      writer.close()
    })
  }

  /**
   * Keeps a conversation that consists of these entries.
   * @throws what the system reports.
   */
  async copy(name: string | undefined, entries: readonly Entry[]): Promise<Stored> {
    const writer = await this.create(name)
    writer.write(...entries)
    writer.close()
    return { path: writer.path, conversation: new Conversation('', entries), updated: this.#place.now() }
  }

  /** @throws FailedError when it can't be removed. */
  async remove({ path }: Stored): Promise<void> {
    try {
      await rm(path)
    } catch (error) {
      throw new FailedError(`can't remove ${path}: ${reasonOf(error)}`)
    }
  }

  #create(entries: readonly Entry[]): Writer {
    const { folder, mask, now } = this.#place
    makePrivate(folder)
    const id = newId(now())
    const writer = new Writer(join(folder, `${id}${extension}`), mask, { isNew: true })
    writer.write({ type: 'conversation', at: this.#time(), version: formatVersion, id }, ...entries)
    return writer
  }

  #naming(name: string): NameEntry {
    return { type: 'name', at: this.#time(), name }
  }

  #time(): string {
    return new Date(this.#place.now()).toISOString()
  }

  /** The latest first. */
  async names(): Promise<string[]> {
    return namesOf(await this.#attempts(namingLine))
  }

  /** The latest first. */
  ids(): string[] {
    return idsOf(this.#folder.files())
  }

  async #named(name: string): Promise<Stored | undefined> {
    return onlyNamed(name, await this.#attempts(namingLine))?.stored
  }

  async #open(file: File): Promise<Stored> {
    const attempt = this.#folder.read(file)
    if (!attempt.stored) throw new FailedError(attempt.troubles.join('; '))
    await this.#folder.tell(attempt)
    return attempt.stored
  }

  /** The latest first. */
  async #attempts(sign?: RegExp): Promise<Attempt[]> {
    const attempts: Attempt[] = []
    for (const file of this.#folder.files()) {
      attempts.push(this.#folder.read(file, sign))
      if (attempts.length % filesAtOnce === 0) await setImmediate()
    }
    return attempts
  }
}

function nameTaken(name: string, { conversation }: Stored): UsageError {
  return new UsageError(`there is a conversation named ${JSON.stringify(name)} already: ${conversation.id}`)
}

/** @throws UsageError */
function notFound(text: string, known: readonly string[]): never {
  throw new UsageError(`there is no conversation ${JSON.stringify(text)}${suggestion(text, known)}`, {
    hint: 'syn sessions lists them',
  })
}

function begunIn(attempts: readonly Attempt[]): Stored[] {
  return attempts.flatMap(({ stored }) => (stored && hasBegun(stored) ? [stored] : []))
}

function namesOf(attempts: readonly Attempt[]): string[] {
  return begunIn(attempts).flatMap(({ conversation: { name } }) => (name === undefined ? [] : [name]))
}

function idsOf(files: readonly File[]): string[] {
  return files.map(({ id }) => id)
}

function onlyNamed(name: string, attempts: readonly Attempt[]): Attempt | undefined {
  const named = attempts.filter(({ stored }) => stored?.conversation.name === name)
  return onlyOne(name, named, ({ stored }) => stored?.conversation.id ?? '')
}

function hasBegun({ conversation }: Stored): boolean {
  return conversation.nodes.length > 0
}

/** @throws UsageError for more than one. */
function onlyOne<One>(text: string, found: readonly One[], idOf: (one: One) => string): One | undefined {
  if (found.length <= 1) return found[0]
  throw new UsageError(`there are ${found.length} conversations ${JSON.stringify(text)}`, {
    hint: `name one by its id: ${found.slice(0, 3).map(idOf).join(', ')}`,
  })
}
