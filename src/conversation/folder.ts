/** Reads the directory of conversations. Synchronous: thousands of promises would cost far more than the reads. */

import { closeSync, openSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FailedError, isSystemError, reasonOf } from '../errors.ts'
import { readOwnFile, withOwnFile } from '../io/private.ts'
import { Conversation } from './conversation.ts'
import { formatVersion } from './entry.ts'
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
  readonly updated: number
}

/** The outcome of reading a file. */
export interface FileReading {
  /** `undefined` if the file cannot be read, or does not match. */
  readonly stored: StoredConversation | undefined
  /** The problems of the file, one line each. */
  readonly problems: readonly string[]
}

export const extension = '.jsonl'

export class ConversationFolder {
  readonly #path: string
  readonly #notify: (text: string) => Promise<void>
  readonly #reported = new Set<string>()

  /** @param notify Called with each problem of a file. */
  constructor(path: string, notify: (text: string) => Promise<void>) {
    this.#path = path
    this.#notify = notify
  }

  /**
   * The latest first.
   * @throws FailedError if the directory cannot be read.
   */
  files(): ConversationFile[] {
    const files: ConversationFile[] = []
    for (const name of namesIn(this.#path)) {
      if (!name.endsWith(extension)) continue
      const path = join(this.#path, name)
      const stats = statIn(this.#path, path)
      if (stats?.isFile()) files.push({ id: name.slice(0, -extension.length), path, updated: updatedIn(path, stats) })
    }
    return files.toSorted((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1))
  }

  /** @param pattern Files that do not match are not parsed: matching costs far less. */
  read({ id, path, updated }: ConversationFile, pattern?: RegExp): FileReading {
    let content: LogContent
    try {
      if (pattern?.test(readOwnFile(path).toString('latin1')) === false) return { stored: undefined, problems: [] }
      content = withOwnFile(path, readLog)
    } catch (error) {
      return { stored: undefined, problems: [`cannot read ${path}: ${reasonOf(error)}`] }
    }
    const { entries, damaged, unknown } = content
    const conversation = new Conversation(id, entries)
    const { version = formatVersion } = conversation
    if (version > formatVersion) {
      const problem = `cannot read ${path}: written by a newer version of syn (format ${version})`
      return { stored: undefined, problems: [problem] }
    }
    const problems = [
      ...(damaged.length > 0 ? [`${path}: skipped ${lineNumbers(damaged)}: damaged`] : []),
      ...(unknown.length > 0 ? [`${path}: skipped ${lineNumbers(unknown)}: unknown type`] : []),
    ]
    return { stored: { conversation, path, updated }, problems }
  }

  /** Each problem once, however often a file is read. */
  async report({ problems }: FileReading): Promise<void> {
    for (const problem of problems) {
      if (this.#reported.has(problem)) continue
      this.#reported.add(problem)
      await this.#notify(problem)
    }
  }
}

/** `line 3`, `lines 3, 7 and 40 more` */
function lineNumbers(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 3).join(', ')
  const more = numbers.length > 3 ? ` and ${numbers.length - 3} more` : ''
  return `${numbers.length === 1 ? 'line' : 'lines'} ${shown}${more}`
}

function updatedIn(path: string, { size, mtimeMs }: Stats): number {
  try {
    const file = openSync(path, 'r')
    try {
      return lastActivity(file, size) ?? mtimeMs
    } finally {
      closeSync(file)
    }
  } catch {
    // Reading the file reports the problem.
    return mtimeMs
  }
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
  const stats = statOf(folder)
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

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
