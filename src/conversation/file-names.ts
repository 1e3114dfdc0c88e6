/** The names of the files of a conversation: `ID.jsonl`, its log, and `ID.RUN.part` for each answer in progress. */

import { join, sep } from 'node:path'
import { directoryFor } from '../io/files/directories.ts'
import type { Io } from '../io/io.ts'
import { isNodeId } from './id.ts'

const logExtension = '.jsonl'
const partsExtension = '.part'

/** Holds one file per conversation. */
export function conversationsDirectory(io: Pick<Io, 'env' | 'platform'>): string {
  return join(directoryFor('data', io), 'conversations')
}

/** Without `join`, which takes longer than the rest of a look-up in thousands of files. */
export function logPath(folder: string, id: string): string {
  return `${folder}${sep}${id}${logExtension}`
}

/** @returns `undefined` for another file. */
export function idOfLog(name: string): string | undefined {
  return name.endsWith(logExtension) ? name.slice(0, -logExtension.length) : undefined
}

/**
 * The file with the parts of an answer. Its name tells which answer that is, so that readers search no directory for it.
 * @param log The path of the conversation's log.
 * @param answer As `newNodeId` made it.
 */
export function partsPath(log: string, answer: string): string {
  return `${log.slice(0, -logExtension.length)}.${answer}${partsExtension}`
}

/** The ID of the conversation that a file of parts belongs to; `undefined` for another file. */
export function idOfParts(name: string): string | undefined {
  if (!name.endsWith(partsExtension)) return undefined
  const stem = name.slice(0, -partsExtension.length)
  const dot = stem.lastIndexOf('.')
  return isNodeId(stem.slice(dot + 1)) ? stem.slice(0, Math.max(0, dot)) : undefined
}
