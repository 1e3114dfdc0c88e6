/** Reads the directory of conversations. Synchronous: thousands of promises would cost far more than the reads. */

import { fstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FailedError, isSystemError, reasonOf } from '../errors.ts'
import { withOwnFile } from '../io/private.ts'
import type { Secrets } from '../io/secrets.ts'
import { statsOf } from '../io/stats.ts'
import { Conversation } from './conversation.ts'
import { formatVersion, type Entry } from './entry.ts'
import { idOfLog, idOfParts, logPath, partsPath } from './file-names.ts'
import { isNodeId } from './id.ts'
import { lastActivity } from './last-activity.ts'
import { type LogContent, readLog } from './log-reader.ts'

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

/** The outcome of reading a file. */
export interface FileReading {
  /** `undefined` if the file cannot be read. */
  readonly stored: StoredConversation | undefined
  /** The problems of the file, one line each. */
  readonly problems: readonly string[]
}

export class ConversationFolder {
  readonly path: string
  readonly secrets: Secrets
  readonly #notify: (text: string) => Promise<void>
  readonly #reported = new Set<string>()

  /**
   * @param secrets The API keys, which are masked in all that is read.
   * @param notify Called with each problem of a file.
   */
  constructor(path: string, secrets: Secrets, notify: (text: string) => Promise<void>) {
    this.path = path
    this.secrets = secrets
    this.#notify = notify
  }

  /**
   * In any order.
   * @param prefix The start of their IDs.
   * @throws FailedError if the directory cannot be read.
   */
  files(prefix = ''): ConversationFile[] {
    const names = namesIn(this.path)
    const parts = new Map<string, string[]>()
    for (const name of names) {
      const id = idOfParts(name)
      if (id !== undefined) parts.set(id, [...(parts.get(id) ?? []), join(this.path, name)])
    }
    return names.flatMap((name) => {
      const id = idOfLog(name)
      return id?.startsWith(prefix) ? this.#fileOf(id, parts.get(id)) : []
    })
  }

  /** The latest start first. @throws FailedError if the directory cannot be read. */
  ids(): string[] {
    const ids = namesIn(this.path).flatMap((name) => idOfLog(name) ?? [])
    return ids.toSorted().toReversed()
  }

  /** The files of parts of these conversations. @throws FailedError if the directory cannot be read. */
  partsOf(ids: ReadonlySet<string>): string[] {
    const names = namesIn(this.path).filter((name) => ids.has(idOfParts(name) ?? ''))
    return names.map((name) => join(this.path, name))
  }

  /** When the last activity was, in milliseconds since 1970. Reads only the end of the log. */
  updated({ path, mtimeMs }: ConversationFile): number {
    try {
      return withOwnFile(path, (log, { size }) => lastActivity(log, size)) ?? mtimeMs
    } catch {
      // Reading the whole file reports the problem.
      return mtimeMs
    }
  }

  read({ id, path }: Pick<ConversationFile, 'id' | 'path'>): FileReading {
    try {
      return withOwnFile(path, (log, { size, mtimeMs }) => {
        const { entries, problems } = readWithParts(path, log, this.secrets)
        const conversation = new Conversation(id, entries)
        const { version = formatVersion } = conversation
        if (version <= formatVersion) {
          return { stored: { conversation, path, updated: lastActivity(log, size) ?? mtimeMs }, problems }
        }
        throw new FailedError(`written by a newer version of syn (format ${version})`)
      })
    } catch (error) {
      return { stored: undefined, problems: [`cannot read ${path}: ${reasonOf(error)}`] }
    }
  }

  /** Each problem once, however often a file is read. */
  async report(problems: readonly string[]): Promise<void> {
    for (const problem of problems) {
      if (this.#reported.has(problem)) continue
      this.#reported.add(problem)
      await this.#notify(problem)
    }
  }

  /** @throws FailedError if the directory can be listed but not entered. */
  #fileOf(id: string, parts: readonly string[] = []): ConversationFile[] {
    const path = logPath(this.path, id)
    const stats = statIn(this.path, path)
    return stats?.isFile() ? [{ id, path, size: stats.size, mtimeMs: stats.mtimeMs, parts }] : []
  }
}

/** The sizes and times of a conversation's files: others if the conversation has changed. */
export function signatureOf(file: ConversationFile): string {
  return [file, ...file.parts.map(statsOf)].map((one) => (one ? `${one.size} ${one.mtimeMs}` : '')).join(' ')
}

interface Entries {
  readonly entries: readonly Entry[]
  readonly problems: readonly string[]
}

/** The entries of a log, and those of the files with the parts of answers that have not ended. */
function readWithParts(path: string, log: number, secrets: Secrets): Entries {
  const { entries, unfinished, size, ...lines } = readLog(log, secrets)
  const read = [
    { entries, problems: problemsIn(path, lines) },
    ...unfinished.flatMap((one) => readParts(path, one, secrets) ?? []),
  ]
  // An answer that ended meanwhile is in the log now, and its file of parts is gone.
  if (read.length <= unfinished.length && fstatSync(log).size !== size) return readWithParts(path, log, secrets)
  return { entries: read.flatMap((one) => one.entries), problems: read.flatMap((one) => one.problems) }
}

/** @returns `undefined` without a file: the answer has no parts, or the log has them. */
function readParts(log: string, answer: string, secrets: Secrets): Entries | undefined {
  // Any other ID, as in a damaged log, could name a file elsewhere.
  if (!isNodeId(answer)) return undefined
  const path = partsPath(log, answer)
  try {
    const { entries, ...lines } = withOwnFile(path, (file) => readLog(file, secrets))
    const parts = entries.filter((entry) => entry.type === 'part' && entry.answer === answer)
    return { entries: parts, problems: problemsIn(path, lines) }
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    return { entries: [], problems: [`cannot read ${path}: ${reasonOf(error)}`] }
  }
}

function problemsIn(path: string, { damaged, unknown }: Pick<LogContent, 'damaged' | 'unknown'>): string[] {
  return [
    ...(damaged.length > 0 ? [`${path}: skipped ${lineNumbers(damaged)}: damaged`] : []),
    ...(unknown.length > 0 ? [`${path}: skipped ${lineNumbers(unknown)}: unknown type`] : []),
  ]
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
    // System services run with a HOME such as /dev/null, where nothing can be saved.
    const obstacle = code === 'ENOTDIR' ? fileOnPath(folder) : undefined
    if (code === 'ENOTDIR' && obstacle === undefined) return []
    const reason =
      obstacle === undefined ? reasonOf(error) : `${obstacle === folder ? '' : `${obstacle} is `}not a directory`
    throw cannotRead(folder, reason)
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
