/** What was sent before, across runs: a file of JSON strings, one a line, to which every run appends. */

import { appendFile, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Io } from '../../io/io.ts'
import type { Secrets } from '../../io/secrets.ts'
import { dataDirectory } from '../../io/directories.ts'
import { replaceFile } from '../../io/private.ts'

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
