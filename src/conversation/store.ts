/** The saved conversations: finds, lists, creates, renames and removes them. */

import { accessSync, constants } from 'node:fs'
import { advice, FailedError, syn, UsageError } from '../errors.ts'
import { suggestion } from '../fields/suggestion.ts'
import { yieldIfDue } from '../io/time/abort-signal.ts'
import type { Io } from '../io/io.ts'
import { makePrivate, type Owner, ownerOf, withLock } from '../io/files/private.ts'
import { removeFile, writeFailure } from '../io/files/regular-file.ts'
import type { Notices } from '../notices.ts'
import { Conversation, isSameService } from './conversation.ts'
import { settingSpecs } from '../settings/setting-specs.ts'
import { type Account, formatVersion, type Entry, type EntryOf } from './entry.ts'
import {
  ConversationFolder,
  type ConversationFile,
  conversationsDirectory,
  logPath,
  type StoredConversation,
} from './folder.ts'
import { latestName, looksLikeId, newId, normalizeName } from './id.ts'
import type { ConversationMatch } from './list.ts'
import { ConversationFileWriter } from './conversation-file.ts'
import type { SearchHit } from './search.ts'
import { type ConversationSummary, readSummaries, type Summarized, summaryOf } from './summaries.ts'

interface ConversationStoreOptions {
  readonly folder: string
  /** Who must be the only one to write there. */
  readonly owner?: Owner
  /** The account of requests, as in the entry of a turn (default: none are sent). */
  readonly account?: Account
  /** Prints a notice: a problem with a file, or what happens to a conversation. */
  notify(text: string): Promise<void>
  /** Called once if a conversation cannot be saved, with the message (default: `notify`). */
  onUnsaved?(text: string): Promise<void> | void
  /** Milliseconds since 1970. */
  now(): number
  /** Ends listing and searching. */
  readonly signal?: AbortSignal
}

export function openStore(
  { io, notices }: { io: Io; notices: Notices },
  options: Partial<ConversationStoreOptions> = {},
): ConversationStore {
  return new ConversationStore({
    folder: conversationsDirectory(io),
    owner: ownerOf(io),
    notify: (text) => notices.info(text),
    now: io.now,
    signal: io.signal,
    ...options,
  })
}

export class ConversationStore {
  readonly options: ConversationStoreOptions
  readonly #folder: ConversationFolder
  readonly #reported = new Set<string>()

  constructor(options: ConversationStoreOptions) {
    this.options = options
    this.#folder = new ConversationFolder(options.folder, options.owner)
  }

  /** The time of an entry that is made now. */
  time(): string {
    return new Date(this.options.now()).toISOString()
  }

  /**
   * The latest first. Problems with any file are reported.
   * @throws FailedError if the directory cannot be read, like all methods that look for conversations.
   */
  async list(): Promise<ConversationSummary[]> {
    const summarized = await readSummaries(this.#folder, this.options.signal)
    for (const { problems } of summarized) await this.#report(problems)
    return summarized.flatMap(({ file, row }) => (row && !row.isEmpty ? summaryOf(file, row) : []))
  }

  /** Lists the conversations in which something is found, as `list` does. Only one of them is in memory. */
  async search(find: (conversation: Conversation) => readonly SearchHit[]): Promise<ConversationMatch[]> {
    const found: ConversationMatch[] = []
    for (const summary of await this.list()) {
      const { stored } = this.#folder.read(summary)
      const hits = stored ? find(stored.conversation) : []
      if (hits.length > 0) found.push({ ...summary, hits })
      await yieldIfDue(this.options.signal)
    }
    return found
  }

  /**
   * The latest conversation that was not held with another service: what was said to that one is not for this one. Reports
   * problems with skipped files: one of them may be the latest.
   * @returns `undefined` if there is none with any service.
   * @throws UsageError if there is none with this one, or it belongs to another profile.
   */
  async latest(): Promise<StoredConversation | undefined> {
    const { account = {}, notify } = this.options
    let latest: StoredConversation | undefined
    let read: StoredConversation | undefined
    const summarized = await readSummaries(this.#folder, this.options.signal, (one) => {
      if (!read || one.updated >= read.updated) read = one
    })
    for (const { file, row, problems } of summarized) {
      await this.#report(problems)
      if (!row || row.isEmpty) continue
      const stored = read?.path === file.path ? read : this.#folder.read(file).stored
      if (!stored) continue
      latest ??= stored
      const { own, current, isService } = otherAccount(stored.conversation, account) ?? {}
      if (isService) continue
      if (own !== undefined) {
        const { id } = stored.conversation
        throw new UsageError(`the latest conversation, ${id}, belongs to ${own}, and this run to ${current}`, {
          hint: advice`use ${syn(`chat --session ${id}`)} to continue it all the same`,
        })
      }
      const held = otherAccount(latest.conversation, account)?.own
      if (held !== undefined)
        await notify(`continuing ${nameOf(stored)}: the latest conversation, ${nameOf(latest)}, was held with ${held}`)
      return stored
    }
    if (!latest) return undefined
    const { own, current } = otherAccount(latest.conversation, account) ?? {}
    throw new UsageError(`no conversation with ${current} to continue`, {
      hint: `the latest was held with ${own}; use --session ${nameOf(latest)} to continue it here`,
    })
  }

  /**
   * @param text A name, an ID, an ID prefix, or `last`.
   * @throws UsageError if none or several match, FailedError if it cannot be read.
   */
  async find(text: string): Promise<StoredConversation> {
    const name = normalizeName(text)
    if (!looksLikeId(name)) {
      const { stored, names } = await this.findByName(name)
      const latest = !stored && name === latestName ? await this.latest() : undefined
      return stored ?? latest ?? notFound(text, names)
    }
    const file = atMostOne(name, this.#folder.files(name), ({ id }) => id)
    if (file) return this.#open(file)
    const ids = this.#folder.files().map(({ id }) => id)
    return notFound(text, ids.toSorted().toReversed())
  }

  /**
   * Finds a conversation by its name, including an empty one that another process has just created.
   * @returns also all names, the latest first.
   * @throws UsageError if there are several.
   */
  async findByName(name: string): Promise<{ stored: StoredConversation | undefined; names: string[] }> {
    let stored: StoredConversation | undefined
    const summarized = await readSummaries(this.#folder, undefined, (one) => {
      if (one.conversation.name === name) stored = one
    })
    const found = findNamed(name, summarized)
    // Otherwise it may be one of the files that cannot be read.
    const reported = found ? [found] : summarized.filter(({ row }) => !row)
    for (const { problems } of reported) await this.#report(problems)
    return { stored: found && (stored ?? (await this.#open(found.file))), names: namesOf(summarized) }
  }

  /** What people can call the conversations: names, then IDs, the latest first. */
  async namesAndIds(): Promise<string[]> {
    const summarized = await readSummaries(this.#folder)
    return [...namesOf(summarized), ...summarized.map(({ file }) => file.id)]
  }

  /** Takes up what was written to the file of a conversation since it was read. */
  update(path: string, conversation: Conversation): void {
    this.#folder.read({ id: conversation.id, path }, conversation)
  }

  /** @throws UsageError if another user could have put a link on the way to the folder. */
  checkWriters(): void {
    this.#folder.checkWriters()
  }

  /** @param path That of a conversation, or else a new one is meant. @throws as `checkWriters`; FailedError. */
  checkWritable(path?: string): void {
    try {
      this.checkWriters()
      if (path === undefined) makePrivate(this.options.folder)
      else accessSync(path, constants.W_OK)
    } catch (error) {
      throw writeFailure(path ?? this.options.folder, error)
    }
  }

  /** Creates a conversation, or opens one of this name that another process just created. @throws system errors. */
  async create(name: string | undefined): Promise<ConversationFileWriter> {
    this.checkWriters()
    if (name === undefined) return this.#create([])
    return withLock(this.options.folder, async () => {
      const existing = await this.#named(name)
      return existing ? new ConversationFileWriter(existing.file.path) : this.#create([this.#nameEntry(name)])
    })
  }

  /** @param path That of the conversation that may have this name. @throws UsageError if another one has it. */
  async requireFreeName(name: string, path?: string): Promise<void> {
    const other = await this.#named(name)
    if (!other || other.file.path === path) return
    throw new UsageError(`the name ${JSON.stringify(name)} is already taken by conversation ${other.file.id}`)
  }

  /** @throws UsageError if another conversation has this name, system errors if it cannot be written. */
  async rename(path: string, name: string): Promise<void> {
    const write = async (): Promise<void> => {
      await this.requireFreeName(name, path)
      const writer = new ConversationFileWriter(path)
      writer.write(this.#nameEntry(name))
      writer.close()
    }
    this.checkWriters()
    await withLock(this.options.folder, write, this.options.signal)
  }

  /** @throws FailedError if one cannot be removed. */
  async remove(conversations: readonly StoredConversation[]): Promise<void> {
    const ids = new Set(conversations.map(({ conversation }) => conversation.id))
    // Before the logs: without these, nobody would find them. A run that ends meanwhile removes its own.
    const parts = this.#folder.files().flatMap((file) => (ids.has(file.id) ? file.parts : []))
    for (const path of [...parts, ...conversations.map((one) => one.path)]) removeFile(path)
    // The index contains their first words.
    await readSummaries(this.#folder)
  }

  #create(entries: readonly Entry[]): ConversationFileWriter {
    const { folder, now } = this.options
    makePrivate(folder)
    const id = newId(now())
    const writer = new ConversationFileWriter(logPath(folder, id), { isNew: true })
    writer.write({ type: 'conversation', at: this.time(), version: formatVersion, id }, ...entries)
    return writer
  }

  /** Each problem once, however often a file is read. */
  async #report(problems: readonly string[]): Promise<void> {
    for (const problem of problems) {
      if (this.#reported.has(problem)) continue
      this.#reported.add(problem)
      await this.options.notify(problem)
    }
  }

  #nameEntry(name: string): EntryOf<'name'> {
    return { type: 'name', at: this.time(), name }
  }

  async #named(name: string): Promise<Summarized | undefined> {
    return findNamed(name, await readSummaries(this.#folder))
  }

  async #open(file: ConversationFile): Promise<StoredConversation> {
    const { stored, problems } = this.#folder.read(file)
    if (!stored) throw new FailedError(problems.join('; '))
    await this.#report(problems)
    return stored
  }
}

/**
 * The account of a conversation and that of requests, as in a sentence, if they differ: in the service, if both are known, or in the
 * profile. Older versions recorded none, which stands for the default one.
 */
export function otherAccount({ account: own }: Conversation, { service, profile }: Account) {
  if (own === undefined || service === undefined) return undefined
  const serviceName = (one: string): string => (one === 'sandbox' ? 'the sandbox' : one)
  if (own.service !== undefined && !isSameService(own.service, service))
    return { own: serviceName(own.service), current: serviceName(service), isService: true }
  const isSame = own.profile === profile || (own.profile ?? settingSpecs.profile.field.default) === profile
  if (isSame || service === 'sandbox') return undefined
  const name = (one: string | undefined, other: string): string => (one === undefined ? other : `profile ${one}`)
  return { own: name(own.profile, 'no profile'), current: name(profile, 'the account of SYN_API_KEY') }
}

/** The name as typed after `--session`. */
function nameOf({ conversation: { id, name } }: StoredConversation): string {
  return name === undefined ? id : JSON.stringify(name)
}

function notFound(text: string, known: readonly string[]): never {
  throw new UsageError(`no such conversation ${JSON.stringify(text)}${suggestion(text, known)}`, {
    hint: 'use syn sessions to list them',
  })
}

function namesOf(summarized: readonly Summarized[]): string[] {
  return summarized.flatMap(({ row }) => (row && row.name !== null && !row.isEmpty ? row.name : []))
}

function findNamed(name: string, summarized: readonly Summarized[]): Summarized | undefined {
  const named = summarized.filter(({ row }) => row?.name === name)
  return atMostOne(name, named, ({ file }) => file.id)
}

/** @throws UsageError for more than one. */
function atMostOne<One>(text: string, found: readonly One[], idOf: (one: One) => string): One | undefined {
  if (found.length <= 1) return found[0]
  throw new UsageError(`${found.length} conversations match ${JSON.stringify(text)}`, {
    hint: `use an ID: ${found.slice(0, 3).map(idOf).join(', ')}`,
  })
}
