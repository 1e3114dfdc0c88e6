/** Runs `syn similar` and `syn embed --cache`, one after the other, against a service that knows words. */

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { model, textsOf } from './embed.ts'
import { environment, startSyn, type Running } from './program.ts'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from './run-syn.ts'
import { json, startService, type Answer } from './service.ts'

export const question = 'cat'

/** How often each of these words occurs in a text, and how many words it has. Its length is not 1. */
export function vectorOf(text: string): number[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return [...['cat', 'dog', 'ship'].map((word) => words.filter((one) => one === word).length / 3), words.length / 1000]
}

interface Searched extends Outcome {
  /** The texts of each request. */
  readonly sent: string[][]
}

export interface Search extends AsyncDisposable {
  readonly folder: string
  readonly home: string
  readonly baseUrl: string
  /** The variables for a process that runs syn. */
  readonly env: Record<string, string>
  /** The texts of each request since the last run began. */
  readonly sent: string[][]
  /** What the service answers to the texts of a request. */
  answer: (texts: string[], request: number) => Answer
  write(files: Readonly<Record<string, string | Uint8Array>>): void
  run(argv: readonly string[], options?: RunOptions): Promise<Searched>
  /** Searches the folder. */
  search(argv?: readonly string[], options?: RunOptions): Promise<Searched>
  /** Searches the folder in a process. */
  start(argv?: readonly string[]): Running
  /** A file of the folder in the cache that was used last. */
  cacheFile(name: 'keys' | 'vectors'): string
}

export function reply(vectors: readonly (readonly (number | null)[])[]): Answer {
  return json({ data: vectors.map((embedding, index) => ({ index, embedding })), usage: { prompt_tokens: 1 } })
}

export const wellBehaved: Search['answer'] = (texts) => reply(texts.map(vectorOf))

/** @param files Of a new folder. */
export async function startSearch(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Search> {
  const [home, folder] = [emptyFolder(), emptyFolder()]
  let sent: string[][] = []
  const service = await startService((asked, response) => {
    const texts = textsOf(asked)
    sent.push(texts)
    return search.answer(texts, sent.length)(asked, response)
  })
  const env = { HOME: home, ...service.env, SYN_EMBED_MODEL: model }
  const search: Search = {
    folder,
    home,
    baseUrl: service.baseUrl,
    env: { ...environment(), ...env },
    get sent() {
      return sent
    },
    answer: wellBehaved,
    write(changed) {
      for (const [name, text] of Object.entries(changed)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
    },
    async run(argv, options = {}) {
      sent = []
      return { ...(await runSyn([...argv], { ...options, env: { ...env, ...options.env } })), sent }
    },
    search: (argv = [], options) => search.run(['similar', question, folder, ...argv], options),
    start(argv = []) {
      sent = []
      return startSyn(['similar', question, folder, ...argv], search.env)
    },
    cacheFile(name) {
      const folders = join(home, '.cache/syn/embeddings')
      const usedAt = (folder: string): number => statSync(join(folders, folder, 'keys')).mtimeMs
      const [latest = ''] = readdirSync(folders).sort((one, other) => usedAt(other) - usedAt(one))
      return join(folders, latest, name)
    },
    [Symbol.asyncDispose]: () => service.close(),
  }
  search.write(files)
  return search
}

/** Lines with different vectors, and their file: ten requests, and one for the question. */
export const manyLines = linesOf(640)
export const manyFiles = { 'a.txt': manyLines.join('\n') }

export function linesOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${'cat '.repeat(at % 7)}${'dog '.repeat(at % 11)}number ${at}`)
}

/** The texts that were sent, without the question. */
export function textsIn({ sent }: Pick<Search, 'sent'>): string[] {
  return sent.flat().filter((text) => text !== question)
}

/** Answers requests before this one, and calls a function at each from it on. */
export function answersUntil(last: number, then: (request: number) => void): Search['answer'] {
  return (texts, request) => (request < last ? wellBehaved(texts, request) : () => then(request))
}

/** Ranks each line. */
export const rankAll = ['--lines', '-n', '1000']

/** What a run prints that keeps nothing. */
export async function cleanRun(search: Search): Promise<string> {
  const { code, out } = await search.search([...rankAll, '--no-cache'])
  if (code !== 0) throw new Error(`ended with ${code}`)
  return out
}
