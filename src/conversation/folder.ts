/** The folder of conversations, as it is read: in steps, as thousands of promises cost far more than what they wait for. */

import { closeSync, openSync, readFileSync, readdirSync, statSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { FailedError, isSystemError } from '../errors.ts'
import { Conversation } from './conversation.ts'
import { formatVersion } from './entry.ts'
import { lastSaid } from './last-said.ts'
import type { Place } from './place.ts'
import { readEntries } from './read.ts'
import { reasonOf } from './reason.ts'

export interface Stored {
  readonly conversation: Conversation
  readonly path: string
  /** When something was last said, in milliseconds since 1970. */
  readonly updated: number
}

export interface File {
  readonly id: string
  readonly path: string
  readonly updated: number
}

/** What reading a file came to. */
export interface Attempt {
  /** Nothing for what can't be read, or is of no interest. */
  readonly stored: Stored | undefined
  /** What is wrong with the file, a sentence each. */
  readonly troubles: readonly string[]
}

export const extension = '.jsonl'

export class Folder {
  readonly #place: Place
  readonly #told = new Set<string>()

  constructor(place: Place) {
    this.#place = place
  }

  /**
   * The latest first.
   * @throws FailedError when the folder can't be read.
   */
  files(): File[] {
    const files: File[] = []
    for (const name of namesIn(this.#place.folder)) {
      if (!name.endsWith(extension)) continue
      const path = join(this.#place.folder, name)
      const stats = statIn(this.#place.folder, path)
      if (stats?.isFile()) files.push({ id: name.slice(0, -extension.length), path, updated: updatedIn(path, stats) })
    }
    return files.toSorted((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1))
  }

  /** @param sign What the file must hold to be of interest: to search a text costs far less than to understand it. */
  read({ id, path, updated }: File, sign?: RegExp): Attempt {
    let bytes: Buffer
    try {
      bytes = readFileSync(path)
    } catch (error) {
      return { stored: undefined, troubles: [`can't read ${path}: ${reasonOf(error)}`] }
    }
    if (sign?.test(bytes.toString('latin1')) === false) return { stored: undefined, troubles: [] }
    const { entries, damaged, unknown } = readEntries(bytes.toString('utf8'))
    const conversation = new Conversation(id, entries)
    const { version = formatVersion } = conversation
    if (version > formatVersion) {
      const trouble = `${path} was written by a newer version of syn (format ${version}): it is left alone`
      return { stored: undefined, troubles: [trouble] }
    }
    const troubles = [
      ...(damaged.length > 0 ? [`${path}: skipped ${linesText(damaged)}: damaged`] : []),
      ...(unknown.length > 0 ? [`${path}: skipped ${linesText(unknown)}: of a kind not known here`] : []),
    ]
    return { stored: { conversation, path, updated }, troubles }
  }

  /** Says what is wrong, once, however often a file is read. */
  async tell({ troubles }: Attempt): Promise<void> {
    for (const trouble of troubles) {
      if (this.#told.has(trouble)) continue
      this.#told.add(trouble)
      await this.#place.say(trouble)
    }
  }
}

/** `line 3`, `lines 3, 7 and 40 more` */
function linesText(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 3).join(', ')
  const more = numbers.length > 3 ? ` and ${numbers.length - 3} more` : ''
  return `${numbers.length === 1 ? 'line' : 'lines'} ${shown}${more}`
}

function updatedIn(path: string, { size, mtimeMs }: Stats): number {
  try {
    const file = openSync(path, 'r')
    try {
      return lastSaid(file, size) ?? mtimeMs
    } finally {
      closeSync(file)
    }
  } catch {
    // Whoever reads the file will tell.
    return mtimeMs
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined
    if (code === 'ENOENT') return []
    // Services run with a HOME such as /dev/null, where nothing is ever kept.
    const inTheWay = code === 'ENOTDIR' ? fileOnTheWay(folder) : undefined
    if (code === 'ENOTDIR' && inTheWay === undefined) return []
    const reason = inTheWay === undefined ? reasonOf(error) : `${inTheWay === folder ? 'it' : inTheWay} is a file`
    throw cannotRead(folder, reason)
  }
}

/** What stands where a folder should be, unless it is a device. */
function fileOnTheWay(folder: string): string | undefined {
  const stats = statOf(folder)
  if (stats) return stats.isFile() ? folder : undefined
  return dirname(folder) === folder ? undefined : fileOnTheWay(dirname(folder))
}

/** A folder may be listed, and yet not be entered. */
function statIn(folder: string, path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'EACCES') throw cannotRead(folder, reasonOf(error))
    return undefined
  }
}

function cannotRead(folder: string, reason: string): FailedError {
  return new FailedError(`can't read the folder ${folder}: ${reason}`)
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
