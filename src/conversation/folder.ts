/**
 * The directory of conversations, and the names of the files in it: `ID.jsonl`, the log of a conversation, and `ID.RUN.part` for
 * each answer in progress. Reads synchronously: thousands of promises would cost far more than the reads.
 */

import { fstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { FailedError, isSystemError, reasonOf } from '../errors.ts'
import { directoryFor } from '../io/files/directories.ts'
import { checkWriters, type Owner, withOwnFile } from '../io/files/private.ts'
import type { Io } from '../io/io.ts'
import { statsOf } from '../io/files/stats.ts'
import { Conversation } from './conversation.ts'
import { formatVersion, type Entry } from './entry.ts'
import { isNodeId } from './id.ts'
import { readConversationFile } from './conversation-file.ts'

const logExtension = '.jsonl'
const partsExtension = '.part'

/** Holds one file per conversation. */
export function conversationsDirectory(io: Pick<Io, 'env' | 'platform'>): string {
  return join(directoryFor('data', io), 'conversations')
}

/** Without `join`, which takes longer than the rest of a look-up in thousands of files. */
export function logPath(folder: string, id: string): string {
  return `${folder}${sep}${id}${logExtension}`
}

/** The file with the parts of an answer. Its name tells which answer that is: readers search no directory for it. */
export function partsPath(log: string, answer: string): string {
  return `${log.slice(0, -logExtension.length)}.${answer}${partsExtension}`
}

/** The ID of the conversation that a file of parts belongs to; `undefined` for another file. */
function idOfParts(name: string): string | undefined {
  if (!name.endsWith(partsExtension)) return undefined
  const stem = name.slice(0, -partsExtension.length)
  const dot = stem.lastIndexOf('.')
  return isNodeId(stem.slice(dot + 1)) ? stem.slice(0, Math.max(0, dot)) : undefined
}

export interface StoredConversation {
  readonly conversation: Conversation
  readonly path: string
  /** The last activity, in milliseconds since 1970. */
  readonly updated: number
}

export interface ConversationFile {
  readonly id: string
  readonly path: string
  /** In bytes. */
  readonly size: number
  readonly mtimeMs: number
  /** The paths of its files of parts. */
  readonly parts: readonly string[]
}

export class ConversationFolder {
  readonly path: string
  readonly #owner: Owner | undefined

  /** @param owner Who alone may be able to change it, for `checkWriters`. */
  constructor(path: string, owner?: Owner) {
    this.path = path
    this.#owner = owner
  }

  /** To be called before anything is written. @throws UsageError if another user could have put a link on the way. */
  checkWriters(): void {
    if (this.#owner) checkWriters(this.path, this.#owner, 'write')
  }

  /** The files whose ID has this prefix, in any order. @throws FailedError if the directory cannot be read. */
  files(prefix = ''): ConversationFile[] {
    const names = namesIn(this.path)
    const parts = new Map<string, string[]>()
    for (const name of names) {
      const id = idOfParts(name)
      if (id !== undefined) parts.set(id, [...(parts.get(id) ?? []), join(this.path, name)])
    }
    return names.flatMap((name) => {
      if (!name.endsWith(logExtension) || !name.startsWith(prefix)) return []
      const id = name.slice(0, -logExtension.length)
      const path = logPath(this.path, id)
      const stats = statIn(this.path, path)
      if (!stats?.isFile()) return []
      return { id, path, size: stats.size, mtimeMs: stats.mtimeMs, parts: parts.get(id) ?? [] }
    })
  }

  /**
   * @param conversation What is known of it, which gets the rest.
   * @returns also the problems of the file, one line each; alone if it cannot be read.
   */
  read(
    file: Pick<ConversationFile, 'id' | 'path'>,
    conversation = new Conversation(file.id),
  ): { stored?: StoredConversation; problems: readonly string[] } {
    const { path } = file
    try {
      return withOwnFile(path, (log, { size, mtimeMs }) => {
        const problems: string[] = []
        const unfinished = new Set<string>()
        conversation.addAll(this.#entries(path, log, unfinished, problems))
        // An answer that ended meanwhile is in the log now, and its file of parts is gone.
        if (unfinished.size > 0 && fstatSync(log).size !== size) return this.read(file, conversation)
        const { version = formatVersion, lastActivity: updated = mtimeMs } = conversation
        if (version <= formatVersion) return { stored: { conversation, path, updated }, problems }
        throw new FailedError(`written by a newer version of syn (format ${version})`)
      })
    } catch (error) {
      return { problems: [`cannot read ${path}: ${reasonOf(error)}`] }
    }
  }

  /**
   * The entries of a log, and those of the files with the parts of answers that have not ended.
   * @param unfinished Gets the IDs of those answers.
   */
  *#entries(path: string, log: number, unfinished: Set<string>, problems: string[]): Generator<Entry, void> {
    for (const entry of this.#lines(path, log, problems)) {
      if (entry.type === 'answer') unfinished.add(entry.id)
      if (entry.type === 'end') unfinished.delete(entry.answer)
      yield entry
    }
    for (const answer of unfinished) yield* this.#parts(path, answer, problems)
  }

  /** Nothing without a file: the answer has no parts, or the log has them. */
  #parts(log: string, answer: string, problems: string[]): Entry[] {
    // Any other ID, as in a damaged log, could name a file elsewhere.
    if (!isNodeId(answer)) return []
    const path = partsPath(log, answer)
    try {
      const entries = withOwnFile(path, (file) => [...this.#lines(path, file, problems)])
      return entries.filter((entry) => entry.type === 'part' && entry.answer === answer)
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'ENOENT') problems.push(`cannot read ${path}: ${reasonOf(error)}`)
      return []
    }
  }

  /** The entries of an open file, and then what is wrong with it. */
  *#lines(path: string, file: number, problems: string[]): Generator<Entry, void> {
    const { damaged, unknown } = yield* readConversationFile(file)
    if (damaged.length > 0) problems.push(`${path}: skipped ${lineNumbers(damaged)}: damaged`)
    if (unknown.length > 0) problems.push(`${path}: skipped ${lineNumbers(unknown)}: unknown type`)
  }
}

/** The sizes and times of a conversation's files: others if the conversation has changed. */
export function signatureOf(file: ConversationFile): string {
  return [file, ...file.parts.map(statsOf)].map((one) => (one ? `${one.size} ${one.mtimeMs}` : '')).join(' ')
}

/** `line 3`, `lines 3, 7 and 40 more` */
function lineNumbers(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 3).join(', ')
  const more = numbers.length > 3 ? ` and ${numbers.length - 3} more` : ''
  return `${numbers.length === 1 ? 'line' : 'lines'} ${shown}${more}`
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined
    if (code === 'ENOENT') return []
    if (code !== 'ENOTDIR') throw cannotRead(folder, reasonOf(error))
    const obstacle = fileOnPath(folder)
    // System services run with a HOME such as /dev/null, where nothing can be saved.
    if (obstacle === undefined) return []
    throw cannotRead(folder, obstacle === folder ? 'not a directory' : `${obstacle} is not a directory`)
  }
}

/** The path that is a regular file, of this directory or one of its parents. */
function fileOnPath(folder: string): string | undefined {
  const stats = statsOf(folder)
  if (stats) return stats.isFile() ? folder : undefined
  return dirname(folder) === folder ? undefined : fileOnPath(dirname(folder))
}

/** @throws FailedError if the directory can be listed but not entered. */
function statIn(folder: string, path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'EACCES') throw cannotRead(folder, reasonOf(error))
    return undefined
  }
}

function cannotRead(folder: string, reason: string): FailedError {
  return new FailedError(`cannot read the directory ${folder}: ${reason}`)
}
