/** The conversations that were kept: found, begun, renamed, removed. */

import { rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { suggestion } from '../fields/nearest.ts'
import { makePrivate, withLock } from '../io/private.ts'
import { Conversation } from './conversation.ts'
import { formatVersion, type Entry, type NameEntry } from './entry.ts'
import { Folder, extension, type Stored } from './folder.ts'
import { isLikeId, newId } from './id.ts'
import type { Place } from './place.ts'
import { Writer } from './writer.ts'

/** What a file holds that has a name. */
const namingLine = /"type"\s*:\s*"name"/

export class Store {
  readonly #place: Place
  readonly #folder: Folder

  constructor(place: Place) {
    this.#place = place
    this.#folder = new Folder(place)
  }

  /** The latest first. */
  async list(): Promise<Stored[]> {
    return (await this.#all()).filter(hasBegun)
  }

  async latest(): Promise<Stored | undefined> {
    for (const file of await this.#folder.files()) {
      const stored = await this.#folder.read(file)
      if (stored && hasBegun(stored)) return stored
    }
    return undefined
  }

  /**
   * @param text A name, an id, or the beginning of one.
   * @throws UsageError when there is none, or more than one.
   */
  async find(text: string): Promise<Stored> {
    const found = isLikeId(text) ? await this.#withId(text) : await this.findName(text)
    if (found) return found
    const known = isLikeId(text) ? await this.ids() : await this.names()
    throw new UsageError(`there is no conversation ${JSON.stringify(text)}${suggestion(text, known)}`, {
      hint: 'syn sessions lists them',
    })
  }

  /**
   * Also one that another run has just named, and not yet said anything in.
   * @throws UsageError when there is more than one.
   */
  async findName(name: string): Promise<Stored | undefined> {
    const named = (await this.#all(namingLine)).filter(({ conversation }) => conversation.name === name)
    return onlyOne(name, named, ({ conversation }) => conversation.id)
  }

  /**
   * Begins a conversation, or opens the one of this name that another run began meanwhile.
   * @throws what the system reports.
   */
  async create(name: string | undefined): Promise<Writer> {
    if (name === undefined) return this.#create([])
    return withLock(this.#place.folder, async () => {
      const begun = await this.findName(name)
      return begun ? this.open(begun.path) : this.#create([this.#naming(name)])
    })
  }

  /** @throws what the system reports, also when the file is gone. */
  open(path: string): Writer {
    return new Writer(path, this.#place.mask)
  }

  /** @throws UsageError when there is a conversation of this name. */
  async mustBeFree(name: string): Promise<void> {
    const other = await this.findName(name)
    if (other) throw nameTaken(name, other)
  }

  /** @throws UsageError when another one has this name, FailedError when it can't be written. */
  async rename({ path }: Pick<Stored, 'path'>, name: string): Promise<void> {
    await withLock(this.#place.folder, async () => {
      const other = await this.findName(name)
      if (other && other.path !== path) {
        throw nameTaken(name, other)
      }
      const { atime, mtime } = await stat(path)
      const writer = this.open(path)
      writer.write(this.#naming(name))
      writer.close()
      // A new name is nothing that was said: the latest conversation stays the latest.
      await utimes(path, atime, mtime)
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

  async remove({ path }: Stored): Promise<void> {
    await rm(path)
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

  async #withId(text: string): Promise<Stored | undefined> {
    const files = await this.#folder.files()
    const file = onlyOne(
      text,
      files.filter(({ id }) => id.startsWith(text)),
      ({ id }) => id,
    )
    return file && this.#folder.read(file)
  }

  /** The latest first. */
  async names(): Promise<string[]> {
    const named = (await this.#all(namingLine)).filter(hasBegun)
    return named.flatMap(({ conversation: { name } }) => (name === undefined ? [] : [name]))
  }

  /** The latest first. */
  async ids(): Promise<string[]> {
    return (await this.#folder.files()).map(({ id }) => id)
  }

  async #all(sign?: RegExp): Promise<Stored[]> {
    const all: Stored[] = []
    for (const file of await this.#folder.files()) {
      const stored = await this.#folder.read(file, sign)
      if (stored) all.push(stored)
    }
    return all
  }
}

function nameTaken(name: string, { conversation }: Stored): UsageError {
  return new UsageError(`there is a conversation named ${JSON.stringify(name)} already: ${conversation.id}`)
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
