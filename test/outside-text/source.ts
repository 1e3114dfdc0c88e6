/** A source of text from outside: how a run gets a text from it, or more than it should read. */

import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { dirname, join } from 'node:path'
import { hostile } from '../helpers/hostile.ts'
import { mebibyte } from '../helpers/large.ts'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from '../helpers/run-syn.ts'
import { json, startService, type Answer } from '../helpers/service.ts'

/** A run that gets a text from a source. */
export interface Feed extends RunOptions {
  /** In one text, words between spaces. H/ at the start of a word is HOME. */
  readonly argv: string | readonly string[]
  readonly answer?: Answer
  /** In HOME; a number is the size of a file of null bytes. */
  readonly files?: Readonly<Record<string, string | number>>
}

export interface Source {
  readonly what: string
  /** @returns what a run prints that gets the text from the source. */
  readonly output: (text: string, isTerminal: boolean) => Promise<string>
  /** What becomes of the text: it is printed as an answer or the user's own, reported in an error, a notice or a log, or neither. */
  readonly use: 'passed' | 'reported' | 'hidden'
  /** What the source can hold of the text that would take over a terminal (default: all). */
  readonly hostile: string
  /** Runs that get more than the limit; or what limits the source, if this program does not. */
  readonly beyond: readonly Beyond[] | string
}

export interface Beyond {
  readonly feed: (flow: Flow) => Feed
  /** In standard error. */
  readonly says: string
  /** How much is read of what has no end, in bytes, with what the system holds on the way. */
  readonly most?: number
}

/** In bytes: more than the limit of any row. */
const endOfFlow = 64 * mebibyte

/** A text without an end, but for a run that reads all of it: that has failed by then. */
export class Flow {
  taken = 0

  reply(status: number, headers: OutgoingHttpHeaders, start: string, piece: string): Answer {
    return (_asked, response) => {
      response.writeHead(status, headers)
      const chunks = this.chunks(start, piece)
      const send = (): void => {
        const next = chunks.next()
        if (next.done) response.end()
        else response.write(next.value, (error) => error ?? send())
      }
      send()
    }
  }

  *chunks(start: string, piece: string): Generator<Buffer> {
    yield Buffer.from(start)
    const chunk = Buffer.alloc(256 * 1024, piece)
    for (; this.taken < endOfFlow; this.taken += chunk.length) yield chunk
  }
}

/** A source whose text is an answer, or the user's own. */
export function passed(what: string, feed: TextFeed, beyond: Source['beyond']): Source {
  return { what, use: 'passed', output: outputOf(feed), beyond, hostile }
}

/** A source whose text is reported in an error, a notice or a log. @param canHold What it can hold of a hostile text. */
export function reported(what: string, feed: TextFeed, beyond: Source['beyond'], canHold = hostile): Source {
  return { what, use: 'reported', output: outputOf(feed), beyond, hostile: canHold }
}

/** A source whose text is not printed. */
export function hidden(what: string, feed: TextFeed, beyond: Source['beyond'], canHold = hostile): Source {
  return { what, use: 'hidden', output: outputOf(feed), beyond, hostile: canHold }
}

type TextFeed = (text: string) => Feed

function outputOf(feed: TextFeed): Source['output'] {
  return async (text, isTerminal) => {
    // So wide that no key is wrapped.
    const { out, err } = await runFeed({ ...feed(text), isTerminal, columns: 1000 })
    return out + err
  }
}

export async function runFeed({ argv, answer, files = {}, env, ...options }: Feed): Promise<Outcome> {
  const home = emptyFolder()
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'number' ? '' : content, { mode: 0o600 })
    if (typeof content === 'number') truncateSync(path, content)
  }
  await using service = await startService(answer ?? json('', 500))
  try {
    const words = typeof argv === 'string' ? argv.split(' ') : argv
    const absolute = words.map((word) => word.replace(/^H\//, () => `${home}/`))
    return await runSyn(absolute, { ...options, env: { HOME: home, TZ: 'UTC', ...service.env, ...env } })
  } finally {
    // The files may contain the key.
    rmSync(home, { recursive: true })
  }
}
