/** The folder of conversations, as it is read. */

import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '../errors.ts'
import { Conversation } from './conversation.ts'
import { formatVersion } from './entry.ts'
import type { Place } from './place.ts'
import { readEntries } from './read.ts'

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

export const extension = '.jsonl'

export class Folder {
  readonly #place: Place
  readonly #told = new Set<string>()

  constructor(place: Place) {
    this.#place = place
  }

  /** The latest first. */
  async files(): Promise<File[]> {
    const files: File[] = []
    for (const name of await namesIn(this.#place.folder)) {
      if (!name.endsWith(extension)) continue
      const path = join(this.#place.folder, name)
      const known = await stat(path).catch(() => undefined)
      if (known?.isFile()) files.push({ id: name.slice(0, -extension.length), path, updated: known.mtimeMs })
    }
    return files.toSorted((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1))
  }

  /**
   * @param sign What the file must hold to be of interest: to search a text costs far less than to understand it.
   * @returns nothing for what can't be read, which is told.
   */
  async read({ id, path, updated }: File, sign?: RegExp): Promise<Stored | undefined> {
    const text = await readFile(path, 'utf8').catch((error: unknown) => error)
    if (typeof text !== 'string') {
      await this.#tell(`can't read ${path}: ${text instanceof Error ? text.message : String(text)}`)
      return undefined
    }
    if (sign?.test(text) === false) return undefined
    const { entries, damaged, unknown } = readEntries(text)
    const conversation = new Conversation(id, entries)
    if ((conversation.version ?? formatVersion) > formatVersion) {
      await this.#tell(
        `${path} was written by a newer version of syn (format ${conversation.version}): it is left alone`,
      )
      return undefined
    }
    if (damaged.length > 0) await this.#tell(`${path}: skipped ${linesText(damaged)}: damaged`)
    if (unknown.length > 0) await this.#tell(`${path}: skipped ${linesText(unknown)}: of a kind not known here`)
    return { conversation, path, updated }
  }

  /** Once, however often a file is read. */
  async #tell(text: string): Promise<void> {
    if (this.#told.has(text)) return
    this.#told.add(text)
    await this.#place.say(text)
  }
}

/** `line 3`, `lines 3, 7 and 40 more` */
function linesText(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 3).join(', ')
  const more = numbers.length > 3 ? ` and ${numbers.length - 3} more` : ''
  return `${numbers.length === 1 ? 'line' : 'lines'} ${shown}${more}`
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    // ENOTDIR: services run with a HOME such as /dev/null.
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}
