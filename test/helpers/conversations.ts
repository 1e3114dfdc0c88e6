/** Conversations on disk: reads them, and creates home directories with some. */

import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../src/conversation/entry.ts'
import { readConversationFile, type SkippedLines } from '../../src/conversation/conversation-file.ts'
import { withOwnFile } from '../../src/io/files/private.ts'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from './run-syn.ts'
import { startService, type Answer } from './service.ts'

export interface Line {
  type: string
  [key: string]: unknown
}

export function conversationsFolder(home: string): string {
  return join(home, '.local', 'share', 'syn', 'conversations')
}

/** The logs, the latest id first. */
export function conversationFiles(home: string): string[] {
  return filesIn(home, '.jsonl').toReversed()
}

/** The files with the parts of answers that have not ended. */
export function partFiles(home: string): string[] {
  return filesIn(home, '.part')
}

function filesIn(home: string, extension: string): string[] {
  const folder = conversationsFolder(home)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.endsWith(extension))
    .toSorted()
    .map((name) => join(folder, name))
}

/** The content of a log, and the numbers of the lines that are skipped. */
export function logContent(text: string): { entries: readonly Entry[] } & SkippedLines {
  const path = join(emptyFolder(), 'log')
  writeFileSync(path, text)
  return withOwnFile(path, (file) => {
    const entries: Entry[] = []
    const reading = readConversationFile(file)
    for (;;) {
      const { done, value } = reading.next()
      if (done) return { entries, ...value }
      entries.push(value)
    }
  })
}

/** The lines of a home's only conversation. */
export function linesIn(home: string): Line[] {
  const [path, ...others] = conversationFiles(home)
  if (path === undefined || others.length > 0) throw new Error(`${others.length + (path ? 1 : 0)} conversations`)
  return linesOf(path)
}

function linesOf(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

/** The entries of a type in a home's only conversation and its parts, without IDs, times and services. */
export function entriesIn(home: string, type: string): object[] {
  return [...linesIn(home), ...partFiles(home).flatMap(linesOf)]
    .filter((line) => line.type === type)
    .map(({ type: _type, at: _at, id: _id, parent: _parent, answer: _answer, service: _service, ...rest }) => rest)
}

/** Runs `syn chat` with each command line in one home, against a service that gives these answers in turn. */
export async function runChats(home: string, answers: Answer[], ...lines: string[][]) {
  await using service = await startService(...answers)
  const outcomes: Outcome[] = []
  for (const argv of lines) {
    outcomes.push(await runSyn(['chat', ...argv], { env: { HOME: home, ...service.env } }))
  }
  const posts = service.asked.filter(({ method }) => method === 'POST')
  const sent = posts.map(({ json }) => json as { model: string; messages: unknown[] })
  return { outcomes, sent, last: sent.at(-1) ?? { model: '', messages: [] } }
}

export function sessions(home: string, argv: string[], options: RunOptions = {}): Promise<Outcome> {
  return runSyn(['sessions', ...argv], { ...options, env: { HOME: home, TZ: 'UTC', ...options.env } })
}

/** A conversation to be written to a file. */
export interface ConversationFixture {
  id: string
  name?: string
  /** What its turns were sent to (default: unknown). */
  service?: string
  /** Prompt and answer by turns. */
  turns: [prompt: string, answer: string][]
}

/**
 * A home with these conversations, the latest first. The file times are reversed on purpose: they do not count.
 */
export function homeWithConversations(...fixtures: ConversationFixture[]): string {
  const home = emptyFolder()
  mkdirSync(conversationsFolder(home), { recursive: true, mode: 0o700 })
  for (const [index, one] of fixtures.entries()) {
    const path = join(conversationsFolder(home), `${one.id}.jsonl`)
    // A minute apart, backwards from 2026-11-21 10:15 UTC.
    writeFileSync(path, logText(one, new Date(Date.UTC(2026, 10, 21, 10, 15 - index)).toISOString()), { mode: 0o600 })
    const time = Date.UTC(2026, 10, 22, 12, index) / 1000
    utimesSync(path, time, time)
  }
  return home
}

/** @param parts The texts of the parts of an answer (default: all in one). */
export function logText(
  { id, name, service, turns }: ConversationFixture,
  at: string,
  parts = (answer: string): string[] => [answer],
): string {
  const created = '2026-11-21T10:00:00.000Z'
  const lines: object[] = [{ type: 'conversation', at: created, version: 1, id }]
  if (name !== undefined) lines.push({ type: 'name', at: created, name })
  for (const [number, [prompt, answer]] of turns.entries()) {
    const parent = number === 0 ? {} : { parent: `a${number - 1}` }
    const messages = [{ role: 'user', content: prompt }]
    lines.push({ type: 'turn', at, id: `t${number}`, ...parent, service, messages })
    lines.push({ type: 'answer', at, id: `a${number}`, parent: `t${number}`, model: 'hf:one' })
    for (const text of parts(answer)) {
      lines.push({ type: 'part', answer: `a${number}`, deltas: [{ type: 'text', index: 0, text }] })
    }
    const choices = [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }]
    lines.push({ type: 'end', at, answer: `a${number}`, model: 'served', choices })
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** A folder for a store, which makes the one above it private: without the setup of all tests, that would be all temporary files. */
export function emptyStoreFolder(): string {
  const folder = join(emptyFolder(), 'conversations')
  mkdirSync(folder)
  return folder
}
