/**
 * The summaries of all conversations, with an index in their directory, so that not every file is read each time. The index
 * is never needed: a conversation that it lacks, or that has changed since, is read.
 */

import { join } from 'node:path'
import { yieldIfDue } from '../io/time/abort-signal.ts'
import { isObject, type Json, type JsonObject } from '../io/json/json.ts'
import { parseStoredJson } from '../io/json/parse.ts'
import { readOwnFile } from '../io/files/private.ts'
import { replaceFile } from '../io/files/regular-file.ts'
import { isSummaryTurn, writtenTurnsIn } from './conversation.ts'
import { type ConversationFile, type ConversationFolder, signatureOf, type StoredConversation } from './folder.ts'

/** What lists say of a conversation, with the keys of --json. Times are ISO 8601, UTC. */
export interface ConversationSummary {
  readonly id: string
  readonly name: string | null
  /** The start of the first prompt. */
  readonly title: string
  readonly created: string
  readonly updated: string
  /** On the current branch, with those that it summarizes. */
  readonly turns: number
  readonly model: string | null
  /** The profile that it belongs to. */
  readonly profile: string | null
  readonly path: string
}

/** What the index stores. */
interface IndexRow extends Omit<ConversationSummary, 'id' | 'path'> {
  /** The sizes and times of the files that it was made from. */
  readonly signature: string
  /** Whether it has no turn and no answer. Lists omit it. */
  readonly isEmpty: boolean
}

export interface Summarized {
  readonly file: ConversationFile
  /** `undefined` if the conversation cannot be read. */
  readonly row: IndexRow | undefined
  /** The last activity, in milliseconds since 1970. */
  readonly updated: number
  /** The problems of the file, one line each. */
  readonly problems: readonly string[]
}

const indexName = 'index.json'

/** To be increased when rows have other keys or are made in another way. */
const indexVersion = 4

/** In bytes, about. */
const rowSize = 256

/**
 * The latest first. Reads what the index lacks.
 * @param onRead Called with each conversation that was read.
 * @throws FailedError if the directory cannot be read, the signal's reason if it aborts.
 */
export async function readSummaries(
  folder: ConversationFolder,
  signal?: AbortSignal,
  onRead?: (stored: StoredConversation) => void,
): Promise<Summarized[]> {
  const rows = readIndex(folder)
  const summarized: Summarized[] = []
  const current = new Map<string, IndexRow>()
  let bytesRead = 0
  for (const file of folder.files()) {
    const signature = signatureOf(file)
    const known = Object.hasOwn(rows, file.id) ? rows[file.id] : undefined
    let row: IndexRow | undefined = isRow(known) && known.signature === signature ? known : undefined
    let problems: readonly string[] = []
    if (!row) {
      const reading = folder.read(file)
      problems = reading.problems
      if (reading.stored) {
        row = indexRow(reading.stored, signature)
        onRead?.(reading.stored)
      }
      // Files with problems are read each time, to report them.
      if (problems.length === 0) bytesRead += file.size
      await yieldIfDue(signal)
    }
    summarized.push({ file, row, updated: row ? Date.parse(row.updated) : file.mtimeMs, problems })
    if (row && problems.length === 0) current.set(file.id, row)
  }
  const isGone = Object.keys(rows).some((id) => !current.has(id))
  // To write an index that lacks little, such as the last of many conversations, takes longer than to read that again.
  if (isGone || bytesRead > current.size * rowSize) await writeIndex(folder, Object.fromEntries(current))
  return summarized.toSorted((a, b) => b.updated - a.updated || (a.file.id < b.file.id ? 1 : -1))
}

export function summaryOf({ id, path }: ConversationFile, row: IndexRow): ConversationSummary {
  const { signature: _signature, isEmpty: _isEmpty, ...shown } = row
  return { id, ...shown, path }
}

function indexRow({ conversation, updated }: StoredConversation, signature: string): IndexRow {
  const { name = null, firstWords: title, created, lastModel: model = null, nodes, account } = conversation
  const turns = writtenTurnsIn(conversation.path({ withSummarized: true })).filter(
    (turn) => !isSummaryTurn(turn),
  ).length
  const profile = account?.profile ?? null
  const isEmpty = nodes.length === 0
  return { signature, isEmpty, name, title, created, updated: new Date(updated).toISOString(), turns, model, profile }
}

/** By ID; empty if there is no index, or anything else in its place. Each row is checked when it is used. */
function readIndex({ path }: ConversationFolder): JsonObject {
  try {
    const index = parseStoredJson(readOwnFile(join(path, indexName)).toString('utf8'))
    return isObject(index) && index.version === indexVersion && isObject(index.rows) ? index.rows : {}
  } catch {
    return {}
  }
}

/** Never throws: without an index, the next run reads the conversations again. */
async function writeIndex(folder: ConversationFolder, rows: object): Promise<void> {
  try {
    folder.checkWriters()
    await replaceFile(join(folder.path, indexName), JSON.stringify({ version: indexVersion, rows }))
  } catch {
    // Best effort.
  }
}

const rowTypes = Object.entries({
  signature: 'string',
  isEmpty: 'boolean',
  title: 'string',
  created: 'string',
  turns: 'number',
})

function isRow(row: Json | undefined): row is Json & IndexRow {
  if (!isObject(row) || typeof row.updated !== 'string' || Number.isNaN(Date.parse(row.updated))) return false
  const hasTypes = rowTypes.every(([key, type]) => typeof row[key] === type)
  return hasTypes && [row.name, row.model, row.profile].every((text) => text === null || typeof text === 'string')
}
