/** The saved conversations: finds, lists, creates, renames and removes them. */

import { promises } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { FailedError, reasonOf, UsageError } from '../errors.ts'
import { suggestion } from '../fields/nearest.ts'
import { conversationsDirectory } from '../io/directories.ts'
import type { Io } from '../io/io.ts'
import { makePrivate, withLock } from '../io/private.ts'
import { isLoopback } from '../io/url.ts'
import type { Secrets } from '../io/secrets.ts'
import type { Notices } from '../notices.ts'
import { Conversation } from './conversation.ts'
import { formatVersion, type Entry, type NameEntry } from './entry.ts'
import {
  ConversationFolder,
  extension,
  type ConversationFile,
  type FileReading,
  type StoredConversation,
} from './folder.ts'
import { looksLikeId, newId, normalizeName } from './id.ts'
import { LogWriter } from './log.ts'

export interface ConversationStoreOptions {
  readonly folder: string
  /** What requests go to, as in the entry of a turn; `undefined` if none are sent. */
  readonly service?: string | undefined
  /** Masks the API key in a text. */
  readonly mask: (text: string) => string
  /** Prints a notice: a problem with a file, or what happens to a conversation. */
  notify(text: string): Promise<void>
  /** Called once if a conversation cannot be saved, with the message (default: `notify`). */
  onUnsaved?(text: string): Promise<void> | void
  /** Milliseconds since 1970. */
  now(): number
}

export interface StoreContext {
  readonly io: Io
  readonly notices: Notices
  readonly secrets: Secrets
}

export function conversationStoreOptions({ io, notices, secrets }: StoreContext): ConversationStoreOptions {
  return {
    folder: conversationsDirectory(io),
    mask: (text) => secrets.mask(text),
    notify: (text) => notices.info(text),
    now: io.now,
  }
}

export function openStore(context: StoreContext): ConversationStore {
  return new ConversationStore(conversationStoreOptions(context))
}

/** Matches the files of named conversations, and possibly others. */
const nameEntryPattern = /"type"\s*:\s*"name"/

/** Files to read before yielding to the event loop, so that signals are handled. */
const filesAtOnce = 64

interface NameLookup {
  readonly stored: StoredConversation | undefined
  /** Of all named conversations, the latest first. */
  readonly names: string[]
}

export class ConversationStore {
  readonly #options: ConversationStoreOptions
  readonly #folder: ConversationFolder

  constructor(options: ConversationStoreOptions) {
    this.#options = options
    this.#folder = new ConversationFolder(options.folder, (text) => options.notify(text))
  }

  /**
   * The latest first. Problems with any file are reported.
   * @throws FailedError if the directory cannot be read, like all methods that look for conversations.
   */
  async list(): Promise<StoredConversation[]> {
    const readings = await this.#readAll()
    for (const reading of readings) await this.#folder.report(reading)
    return nonEmpty(readings)
  }

  /**
   * The latest conversation, and the latest that was not held with another service. Reports problems with skipped files:
   * one of them may be the latest.
   */
  async latest(): Promise<{ latest: StoredConversation | undefined; own: StoredConversation | undefined }> {
    let latest: StoredConversation | undefined
    for (const file of this.#folder.files()) {
      const reading = this.#folder.read(file)
      await this.#folder.report(reading)
      const { stored } = reading
      if (!stored || !hasTurns(stored)) continue
      latest ??= stored
      if (otherService(stored.conversation, this.#options.service) === undefined) return { latest, own: stored }
    }
    return { latest, own: undefined }
  }

  /**
   * @param text A name, an ID or an ID prefix.
   * @param listCommand The command that lists the conversations, for the hint.
   * @throws UsageError if none or several match, FailedError if it cannot be read.
   */
  async find(text: string, listCommand = 'syn sessions'): Promise<StoredConversation> {
    const name = normalizeName(text)
    if (!looksLikeId(name)) {
      const { stored, names } = await this.findByName(name)
      return stored ?? notFound(text, names, listCommand)
    }
    const files = this.#folder.files()
    const matches = files.filter(({ id }) => id.startsWith(name))
    const file = atMostOne(name, matches, ({ id }) => id)
    return file ? this.#open(file) : notFound(text, idsOf(files), listCommand)
  }

  /**
   * Finds a conversation by its name, including an empty one that another process has just created.
   * @throws UsageError if there are several.
   */
  async findByName(name: string): Promise<NameLookup> {
    const readings = await this.#readAll(nameEntryPattern)
    const found = findNamed(name, readings)
    // Otherwise it may be one of the files that cannot be read.
    const reported = found ? [found] : readings.filter(({ stored }) => stored === undefined)
    for (const reading of reported) await this.#folder.report(reading)
    return { stored: found?.stored, names: namesOf(readings) }
  }

  /** The names of all conversations, the latest first. */
  async names(): Promise<string[]> {
    return namesOf(await this.#readAll(nameEntryPattern))
  }

  /** The ids of all conversations, the latest first. */
  ids(): string[] {
    return idsOf(this.#folder.files())
  }

  /**
   * Creates a conversation, or opens the one of this name that another process created meanwhile.
   * @throws system errors.
   */
  async create(name: string | undefined): Promise<LogWriter> {
    if (name === undefined) return this.#create([])
    return withLock(this.#options.folder, async () => {
      const existing = await this.#named(name)
      return existing ? this.open(existing.path) : this.#create([this.#nameEntry(name)])
    })
  }

  /** @throws system errors, for example if the file is gone. */
  open(path: string): LogWriter {
    return new LogWriter(path, this.#options.mask)
  }

  /** @throws UsageError if a conversation has this name. */
  async requireFreeName(name: string): Promise<void> {
    const other = await this.#named(name)
    if (other) throw nameTaken(name, other)
  }

  /** @throws UsageError if another conversation has this name, system errors if it cannot be written. */
  async rename({ path }: Pick<StoredConversation, 'path'>, name: string): Promise<void> {
    await withLock(this.#options.folder, async () => {
      const other = await this.#named(name)
      if (other && other.path !== path) throw nameTaken(name, other)
      const writer = this.open(path)
      writer.write(this.#nameEntry(name))
      writer.close()
    })
  }

  /**
   * Creates a conversation with these entries.
   * @throws system errors.
   */
  async copy(name: string | undefined, entries: readonly Entry[]): Promise<StoredConversation> {
    const writer = await this.create(name)
    writer.write(...entries)
    writer.close()
    return { path: writer.path, conversation: new Conversation('', entries), updated: this.#options.now() }
  }

  /** @throws FailedError if it cannot be removed. */
  async remove({ path }: StoredConversation): Promise<void> {
    try {
      await promises.rm(path)
    } catch (error) {
      throw new FailedError(`cannot remove ${path}: ${reasonOf(error)}`)
    }
  }

  #create(entries: readonly Entry[]): LogWriter {
    const { folder, mask, now } = this.#options
    makePrivate(folder)
    const id = newId(now())
    const writer = new LogWriter(join(folder, `${id}${extension}`), mask, { isNew: true })
    writer.write({ type: 'conversation', at: this.#time(), version: formatVersion, id }, ...entries)
    return writer
  }

  #nameEntry(name: string): NameEntry {
    return { type: 'name', at: this.#time(), name }
  }

  #time(): string {
    return new Date(this.#options.now()).toISOString()
  }

  async #named(name: string): Promise<StoredConversation | undefined> {
    return findNamed(name, await this.#readAll(nameEntryPattern))?.stored
  }

  async #open(file: ConversationFile): Promise<StoredConversation> {
    const reading = this.#folder.read(file)
    if (!reading.stored) throw new FailedError(reading.problems.join('; '))
    await this.#folder.report(reading)
    return reading.stored
  }

  /** The latest first. */
  async #readAll(pattern?: RegExp): Promise<FileReading[]> {
    const readings: FileReading[] = []
    for (const file of this.#folder.files()) {
      readings.push(this.#folder.read(file, pattern))
      if (readings.length % filesAtOnce === 0) await setImmediate()
    }
    return readings
  }
}

/**
 * The service that a conversation was held with, as in a sentence, if it is another one. Neither may be known.
 * @param service What requests go to now.
 */
export function otherService(conversation: Conversation, service: string | undefined): string | undefined {
  const own = conversation.service
  if (own === undefined || service === undefined || own === service) return undefined
  // What stays on this machine is not kept apart: a local server's port changes.
  return isLocal(own) && isLocal(service) ? undefined : serviceName(own)
}

function isLocal(service: string): boolean {
  return URL.canParse(service) && isLoopback(new URL(service).hostname)
}

export function serviceName(service: string): string {
  return service === 'sandbox' ? 'the sandbox' : service
}

function nameTaken(name: string, { conversation }: StoredConversation): UsageError {
  return new UsageError(`the name ${JSON.stringify(name)} is already taken by conversation ${conversation.id}`)
}

/** @throws UsageError */
function notFound(text: string, known: readonly string[], listCommand: string): never {
  throw new UsageError(`no such conversation ${JSON.stringify(text)}${suggestion(text, known)}`, {
    hint: `use ${listCommand} to list them`,
  })
}

function nonEmpty(readings: readonly FileReading[]): StoredConversation[] {
  return readings.flatMap(({ stored }) => (stored && hasTurns(stored) ? [stored] : []))
}

function namesOf(readings: readonly FileReading[]): string[] {
  return nonEmpty(readings).flatMap(({ conversation: { name } }) => (name === undefined ? [] : [name]))
}

function idsOf(files: readonly ConversationFile[]): string[] {
  return files.map(({ id }) => id)
}

function findNamed(name: string, readings: readonly FileReading[]): FileReading | undefined {
  const named = readings.filter(({ stored }) => stored?.conversation.name === name)
  return atMostOne(name, named, ({ stored }) => stored?.conversation.id ?? '')
}

function hasTurns({ conversation }: StoredConversation): boolean {
  return conversation.nodes.length > 0
}

/** @throws UsageError for more than one. */
function atMostOne<One>(text: string, found: readonly One[], idOf: (one: One) => string): One | undefined {
  if (found.length <= 1) return found[0]
  throw new UsageError(`${found.length} conversations match ${JSON.stringify(text)}`, {
    hint: `use an ID: ${found.slice(0, 3).map(idOf).join(', ')}`,
  })
}
