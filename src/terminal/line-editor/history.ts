/** What was sent before, across runs: a file of JSON strings, one a line, to which every run appends. */

import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { dataDirectory } from '../../io/directories.ts'
import type { Io } from '../../io/io.ts'
import type { Secrets } from '../../io/secrets.ts'
import { type EditorState, startEditing } from './editing.ts'

/** What is kept: so many texts, and so many characters of all of them together. */
const most = { texts: 1000, characters: 2_000_000 }

export function historyPath(io: Pick<Io, 'env' | 'platform'>): string {
  return join(dataDirectory(io), 'history.jsonl')
}

export class History {
  /** The oldest first, none twice. */
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

  /** @param path Without one, the history lasts as long as the run. A file that can't be read counts as empty. */
  static async open(path: string | undefined, secrets: Secrets): Promise<History> {
    return new History(path === undefined ? [] : await load(path), path, secrets)
  }

  get texts(): readonly string[] {
    return this.#texts
  }

  /** Keys in it are masked. Never fails: a history that can't be written costs nothing but itself. */
  add(text: string): void {
    const shown = this.#secrets.mask(text)
    this.#texts = [...this.#texts.filter((one) => one !== shown), shown]
    const path = this.#path
    if (path === undefined) return
    this.#writing = this.#writing.then(() => append(path, shown)).catch(() => undefined)
  }

  /** Resolves when all of it is written. */
  async settled(): Promise<void> {
    await this.#writing
  }
}

async function append(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // One write at the file's end, so that what two runs append at once never mixes. The line feed before it ends the
  // line that a run left open which was killed while it wrote.
  await appendFile(path, `\n${JSON.stringify(text)}\n`, { mode: 0o600 })
}

async function load(path: string): Promise<string[]> {
  try {
    await using file = await open(path, 'r')
    const content = await file.readFile('utf8')
    const texts = withinBounds(parse(content))
    if (content.length > 2 * most.characters || lineCount(content) > 2 * most.texts) {
      // What other runs append meanwhile still goes to the file that is open here.
      await replaceFile(path, texts, () => file.readFile())
    }
    return texts
  } catch {
    return []
  }
}

async function replaceFile(path: string, texts: readonly string[], rest: () => Promise<Uint8Array>): Promise<void> {
  const beside = `${path}.${randomBytes(4).toString('hex')}`
  try {
    await writeFile(beside, texts.map((text) => `${JSON.stringify(text)}\n`).join(''), { mode: 0o600 })
    await rename(beside, path)
    await appendFile(path, await rest())
  } catch {
    await rm(beside, { force: true })
  }
}

/** Lines that are no texts are passed over; of equal texts the last one counts. */
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

/** The newest of them. */
function withinBounds(texts: readonly string[]): string[] {
  let room = most.characters
  const first = texts.findLastIndex((text, index) => {
    room -= text.length
    return room < 0 || texts.length - index > most.texts
  })
  return texts.slice(first + 1)
}

function lineCount(content: string): number {
  return content.split('\n').filter(Boolean).length
}

/** Walks through the history. What is changed on the way is found again on the way back. */

export interface Recall {
  /** Index among the texts of the history; their number stands for the text that is being written. */
  readonly position: number
  readonly visited: ReadonlyMap<number, EditorState>
}

export function startRecall(texts: readonly string[]): Recall {
  return { position: texts.length, visited: new Map() }
}

/** @returns nothing where the history ends. */
export function recallAt(
  recall: Recall,
  editor: EditorState,
  texts: readonly string[],
  position: number,
): { recall: Recall; editor: EditorState } | undefined {
  const known = recall.visited.get(position)
  const text = known?.text ?? texts[position]
  if (text === undefined || position === recall.position) return undefined
  const visited = new Map(recall.visited).set(recall.position, editor)
  const arrived = known ?? startEditing(text)
  return { recall: { position, visited }, editor: { ...arrived, kills: editor.kills } }
}

/** Ctrl-R: searches the history while the words are still being typed. */

export interface Search {
  readonly words: string
  /** Index of the text that was found last, among the texts of the history. */
  readonly found: number | undefined
  /** Where the words stand in it. */
  readonly place: number
  readonly isFailing: boolean
}

type Direction = 'older' | 'newer'

export function startSearch(): Search {
  return { words: '', found: undefined, place: 0, isFailing: false }
}

/** Looks for other words from where it stands, so that what still matches stays. */
export function searchFor(search: Search, words: string, texts: readonly string[]): Search {
  if (words === '') return startSearch()
  // With fewer words a newer text may match again.
  const from = words.startsWith(search.words) ? (search.found ?? texts.length - 1) : texts.length - 1
  return find({ ...search, words }, texts, from, 'older')
}

/** The next text in that direction. */
export function searchOn(search: Search, texts: readonly string[], direction: Direction): Search {
  if (search.words === '') return search
  const from = search.found ?? texts.length
  return find(search, texts, direction === 'older' ? from - 1 : from + 1, direction)
}

function find(search: Search, texts: readonly string[], from: number, direction: Direction): Search {
  const step = direction === 'older' ? -1 : 1
  for (let index = from; index >= 0 && index < texts.length; index += step) {
    const place = placeOf(search.words, texts[index] ?? '')
    if (place !== -1) return { ...search, found: index, place, isFailing: false }
  }
  return { ...search, isFailing: true }
}

/** Small letters also find capital ones. */
function placeOf(words: string, text: string): number {
  const isExact = words !== words.toLowerCase()
  return isExact ? text.indexOf(words) : text.toLowerCase().indexOf(words)
}
