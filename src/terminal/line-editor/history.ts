/**
 * The history of sent messages. It is stored in a file of JSON strings, one per line, to which every run appends. Up and
 * Down go through it; Ctrl-R searches it.
 */

import { constants } from 'node:fs'
import { appendFile, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { directoryFor } from '../../io/files/directories.ts'
import type { Io } from '../../io/io.ts'
import { makeFolder } from '../../io/files/private.ts'
import { replaceFile } from '../../io/files/regular-file.ts'
import { startEditing, type EditorState } from './editing.ts'

/** Without waiting, should the file be a named pipe: a blocked thread would keep the process alive. */
const flags = {
  read: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0),
  append: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0),
}

/** The size of the history: texts, and characters in all of them. */
const limits = { texts: 1000, characters: 2_000_000 }

export function historyPath(io: Pick<Io, 'env' | 'platform'>): string {
  return join(directoryFor('data', io), 'history.jsonl')
}

export class History {
  /** The oldest first, without duplicates. */
  texts: readonly string[]
  readonly #path: string | undefined
  #writing = Promise.resolve()
  /** The newest last. What could not be written is tried again with the next text, and at the end. */
  #unwritten: readonly string[] = []

  private constructor(texts: readonly string[], path: string | undefined) {
    this.texts = texts
    this.#path = path
  }

  /** @param path Without it, the history lasts for this run only. A file that cannot be read counts as empty. */
  static async open(path: string | undefined): Promise<History> {
    return new History(path === undefined ? [] : await load(path), path)
  }

  /** Adds a text. The chat works without the file. */
  add(text: string): void {
    this.texts = [...this.texts.filter((known) => known !== text), text]
    if (this.#path === undefined) return
    this.#unwritten = [...this.#unwritten, text]
    this.#writing = this.#writing.then(() => this.#write())
  }

  /** Resolves when all texts are written, as far as possible. */
  async settled(): Promise<void> {
    await this.#writing
    await this.#write()
  }

  async #write(): Promise<void> {
    const [path, texts] = [this.#path, this.#unwritten]
    if (path === undefined || texts.length === 0) return
    this.#unwritten = []
    try {
      makeFolder(dirname(path))
      // A single append, so that two runs never interleave. The leading line feed ends a line that a killed run left
      // incomplete.
      const lines = texts.map((text) => `\n${lineOf(text)}`).join('')
      await appendFile(path, lines, { mode: 0o600, flag: flags.append })
    } catch {
      this.#unwritten = [...texts, ...this.#unwritten]
    }
  }
}

async function load(path: string): Promise<string[]> {
  try {
    await using file = await open(path, flags.read)
    const content = await file.readFile('utf8')
    const lines = content.split('\n').filter(Boolean)
    // A text that is there twice counts where it is newest.
    const known = new Set<string>()
    for (const text of lines.flatMap(parseLine)) {
      known.delete(text)
      known.add(text)
    }
    const texts = newestWithinLimits([...known])
    if (content.length > 2 * limits.characters || lines.length > 2 * limits.texts) {
      // Until the file is replaced, other runs append to the one that is open here. If that fails, the next start tries again.
      await compact(path, texts, () => file.readFile()).catch(() => undefined)
    }
    return texts
  } catch {
    return []
  }
}

/** @param rest Reads what other runs appended meanwhile to the file being replaced. */
async function compact(path: string, texts: readonly string[], rest: () => Promise<Uint8Array>): Promise<void> {
  await replaceFile(path, texts.map(lineOf).join(''), { isDurable: true })
  await appendFile(path, await rest())
}

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`
}

/** Skips what is not a JSON string. */
function parseLine(line: string): string[] {
  try {
    const text: unknown = JSON.parse(line)
    return typeof text === 'string' && text !== '' ? [text] : []
  } catch {
    return []
  }
}

function newestWithinLimits(texts: readonly string[]): string[] {
  let characters = limits.characters
  const first = texts.findLastIndex((text, index) => {
    characters -= text.length
    return characters < 0 || texts.length - index > limits.texts
  })
  return texts.slice(first + 1)
}

/** The current position in the history. Texts that were edited on the way keep their edits. */
export interface HistoryPosition {
  /** The sent texts, the oldest first. */
  readonly texts: readonly string[]
  /** Index in the history; `texts.length` is the new text being written. */
  readonly index: number
  readonly visited: ReadonlyMap<number, EditorState>
}

interface PlaceInHistory {
  readonly position: HistoryPosition
  readonly editor: EditorState
}

/** Stays where it is if there is no text at the index. */
export function goToIndex({ position, editor }: PlaceInHistory, index: number): PlaceInHistory {
  const { texts } = position
  const known = position.visited.get(index)
  const text = known?.text ?? texts[index]
  if (text === undefined || index === position.index) return { position, editor }
  const visited = new Map(position.visited).set(position.index, editor)
  return {
    position: { texts, index, visited },
    editor: { ...(known ?? startEditing(text)), killed: editor.killed },
  }
}

/** An incremental search (Ctrl-R): each typed character searches the history. */
export interface HistorySearch {
  readonly query: string
  /** Index of the last match in the history. */
  readonly match: number | undefined
  /** Position of the query in that text, in UTF-16 units. */
  readonly offset: number
  readonly isFailing: boolean
}

export const emptySearch: HistorySearch = { query: '', match: undefined, offset: 0, isFailing: false }

/** Changes the query. The search continues from the last match, which stays if it still matches. */
export function setQuery(search: HistorySearch, query: string, texts: readonly string[]): HistorySearch {
  if (query === '') return emptySearch
  // A newer text may match a shorter query.
  const from = query.startsWith(search.query) ? (search.match ?? texts.length - 1) : texts.length - 1
  return find({ ...search, query }, texts, from, -1)
}

export function nextMatch(search: HistorySearch, texts: readonly string[], direction: 1 | -1): HistorySearch {
  if (search.query === '') return search
  return find(search, texts, (search.match ?? texts.length) + direction, direction)
}

function find(search: HistorySearch, texts: readonly string[], from: number, direction: 1 | -1): HistorySearch {
  for (let index = from; index >= 0 && index < texts.length; index += direction) {
    const offset = offsetOf(search.query, texts[index] ?? '')
    if (offset !== -1) return { ...search, match: index, offset, isFailing: false }
  }
  return { ...search, isFailing: true }
}

/** Ignores case unless the query has an uppercase letter (smart case). */
function offsetOf(query: string, text: string): number {
  const isExact = query !== query.toLowerCase()
  return isExact ? text.indexOf(query) : text.toLowerCase().indexOf(query)
}
