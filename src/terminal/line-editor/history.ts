/**
 * The texts that were sent before. They are kept across runs in a file of JSON strings, one a line, to which every run
 * appends. Up and Down go through them; Ctrl-R searches them.
 */

import { appendFile, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { dataDirectory } from '../../io/directories.ts'
import type { Io } from '../../io/io.ts'
import type { Secrets } from '../../io/secrets.ts'
import { replaceFile } from '../../io/private.ts'
import { startEditing, type EditorState } from './editing.ts'

/** How many texts are kept, and how many characters of all of them together. */
const limits = { texts: 1000, characters: 2_000_000 }

export function historyPath(io: Pick<Io, 'env' | 'platform'>): string {
  return join(dataDirectory(io), 'history.jsonl')
}

export class History {
  #texts: readonly string[]
  readonly #path: string | undefined
  readonly #secrets: Secrets
  #writing: Promise<void>

  private constructor(texts: readonly string[], path: string | undefined, secrets: Secrets) {
    this.#texts = texts
    this.#path = path
    this.#secrets = secrets
    this.#writing = Promise.resolve()
  }

  /** @param path Without it the history lasts for this run only. A file that can't be read counts as empty. */
  static async open(path: string | undefined, secrets: Secrets): Promise<History> {
    return new History(path === undefined ? [] : await load(path), path, secrets)
  }

  /** The oldest first, without duplicates. */
  get texts(): readonly string[] {
    return this.#texts
  }

  /** Adds a text, with API keys masked. A failure to write the file is ignored: the chat goes on without it. */
  add(text: string): void {
    const masked = this.#secrets.mask(text)
    this.#texts = [...this.#texts.filter((one) => one !== masked), masked]
    const path = this.#path
    if (path === undefined) return
    this.#writing = this.#writing.then(() => append(path, masked)).catch(() => undefined)
  }

  /** Resolves when all texts are written. */
  async settled(): Promise<void> {
    await this.#writing
  }
}

async function append(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // One write at the end of the file, so that what two runs append at once never mixes. The line feed before it ends a
  // line that a run left open because it was killed while it wrote.
  await appendFile(path, `\n${JSON.stringify(text)}\n`, { mode: 0o600 })
}

async function load(path: string): Promise<string[]> {
  try {
    await using file = await open(path, 'r')
    const content = await file.readFile('utf8')
    const texts = newestWithinLimits(parse(content))
    if (content.length > 2 * limits.characters || lineCount(content) > 2 * limits.texts) {
      // What other runs append meanwhile still goes to the file that is open here.
      await compact(path, texts, () => file.readFile())
    }
    return texts
  } catch {
    return []
  }
}

/** @param rest What other runs appended meanwhile: it went to the file that is replaced. */
async function compact(path: string, texts: readonly string[], rest: () => Promise<Uint8Array>): Promise<void> {
  try {
    await replaceFile(path, texts.map((text) => `${JSON.stringify(text)}\n`).join(''))
    await appendFile(path, await rest())
  } catch {
    // Tried again at the next start.
  }
}

/** Skips lines that hold no text; of equal texts the last one counts. */
function parse(content: string): string[] {
  const texts = new Set<string>()
  for (const line of content.split('\n')) {
    const text = line === '' ? undefined : parseLine(line)
    if (text === undefined) continue
    texts.delete(text)
    texts.add(text)
  }
  return [...texts]
}

function parseLine(line: string): string | undefined {
  try {
    const text = JSON.parse(line) as unknown
    return typeof text === 'string' && text !== '' ? text : undefined
  } catch {
    return undefined
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

function lineCount(content: string): number {
  return content.split('\n').filter(Boolean).length
}

/** Where Up and Down have led. A text that was changed on the way is found again, as it was left. */
export interface HistoryPosition {
  /** Index in the texts of the history; `texts.length` is the text that is being written. */
  readonly index: number
  readonly visited: ReadonlyMap<number, EditorState>
}

export function startPosition(texts: readonly string[]): HistoryPosition {
  return { index: texts.length, visited: new Map() }
}

/** @returns nothing if there is no text at the index, or it is the present one. */
export function goToIndex(
  position: HistoryPosition,
  editor: EditorState,
  texts: readonly string[],
  index: number,
): { position: HistoryPosition; editor: EditorState } | undefined {
  const known = position.visited.get(index)
  const text = known?.text ?? texts[index]
  if (text === undefined || index === position.index) return undefined
  const visited = new Map(position.visited).set(position.index, editor)
  const arrived = known ?? startEditing(text)
  return { position: { index, visited }, editor: { ...arrived, killRing: editor.killRing } }
}

/** An incremental search (Ctrl-R): the history is searched while the query is being typed. */
export interface HistorySearch {
  readonly query: string
  /** Index of the last match in the texts of the history. */
  readonly match: number | undefined
  /** Where the query is in that text, in UTF-16 units. */
  readonly offset: number
  readonly isFailing: boolean
}

type Direction = 'older' | 'newer'

export function startSearch(): HistorySearch {
  return { query: '', match: undefined, offset: 0, isFailing: false }
}

/** Changes the query. The search goes on from the last match, so that it stays if it still matches. */
export function setQuery(search: HistorySearch, query: string, texts: readonly string[]): HistorySearch {
  if (query === '') return startSearch()
  // With a shorter query a newer text may match again.
  const from = query.startsWith(search.query) ? (search.match ?? texts.length - 1) : texts.length - 1
  return find({ ...search, query }, texts, from, 'older')
}

export function nextMatch(search: HistorySearch, texts: readonly string[], direction: Direction): HistorySearch {
  if (search.query === '') return search
  const from = search.match ?? texts.length
  return find(search, texts, direction === 'older' ? from - 1 : from + 1, direction)
}

function find(search: HistorySearch, texts: readonly string[], from: number, direction: Direction): HistorySearch {
  const step = direction === 'older' ? -1 : 1
  for (let index = from; index >= 0 && index < texts.length; index += step) {
    const offset = offsetOf(search.query, texts[index] ?? '')
    if (offset !== -1) return { ...search, match: index, offset, isFailing: false }
  }
  return { ...search, isFailing: true }
}

/** Ignores case unless the query has a capital letter. */
function offsetOf(query: string, text: string): number {
  const isExact = query !== query.toLowerCase()
  return isExact ? text.indexOf(query) : text.toLowerCase().indexOf(query)
}
