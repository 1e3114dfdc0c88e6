/** Prompts in files: the stored ones, and the head of a file, which are lines between `---` that set fields. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isSystemError, reasonOf, UsageError } from '../errors.ts'
import { directoryFor } from '../io/files/directories.ts'
import { checkWriters, ownerOf } from '../io/files/private.ts'
import { readStart } from '../io/files/regular-file.ts'
import { mayExist, statsOf } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import { quote } from '../io/json/print.ts'
import { suggestion } from './suggestion.ts'
import { invalidValue } from './problem.ts'

/** The prompt of `--template`. */
export interface PromptText {
  /** What was typed after `@`, for errors. */
  readonly name?: string
  /** The flag, and the path of the file, for errors. */
  readonly where: string
  readonly text: string
  /** Number of its first line in the file. */
  readonly line: number
  /** What the head sets, as it is written. */
  readonly head: ReadonlyMap<string, { readonly value: string; readonly line: number }>
  /** The `--var` pairs. */
  readonly vars?: readonly string[] | undefined
}

/** `-` is standard input. */
const promptName = /^(?!-$)[A-Za-z0-9_-]{1,200}$/

type Environment = Pick<Io, 'env' | 'platform'>

export function promptsFolder(io: Environment): string {
  return join(directoryFor('config', io), 'prompts')
}

/** The path where the prompt is, or would be, stored; `undefined` for a name that none can have. */
export function promptPath(name: string, io: Environment): string | undefined {
  return promptName.test(name) ? join(promptsFolder(io), `${name}.md`) : undefined
}

/**
 * The names of the stored prompts, in order. None is opened: there may be thousands.
 * @throws UsageError for a directory that cannot be read, if `isNeeded`.
 */
export function promptNames(io: Environment, isNeeded = false): string[] {
  try {
    const entries = readdirSync(promptsFolder(io), { withFileTypes: true })
    const files = entries.filter((one) => one.isFile() || isPrompt(join(one.parentPath, one.name)))
    const names = files.flatMap((one) => /^(.*)\.md$/.exec(one.name)?.[1] ?? [])
    return names.filter((name) => promptName.test(name)).toSorted()
  } catch (error) {
    if (!isNeeded || !mayExist(promptsFolder(io))) return []
    const reason = isSystemError(error) && error.code === 'ENOTDIR' ? 'not a directory' : reasonOf(error)
    throw new UsageError(`cannot read the directory ${promptsFolder(io)}: ${reason}`)
  }
}

/** For a list: only the start of the file is read, and nothing of it is checked. */
export function promptDescription(name: string, io: Environment): string {
  try {
    return splitHead(readStart(promptPath(name, io) ?? '', 4096) ?? '', name).head.get('description')?.value ?? ''
  } catch {
    return ''
  }
}

/** A prompt that cannot be read counts, such as a link to nothing; no named pipe: to open it would wait for its writer. */
function isPrompt(path: string): boolean {
  return statsOf(path)?.isFile() ?? mayExist(path)
}

/** @throws UsageError if there is none of this name. */
export function storedPrompt(name: string, io: Environment, problem = 'NAME: no prompt'): string {
  const path = promptPath(name, io)
  if (path !== undefined && isPrompt(path)) return path
  const similar = suggestion(name, promptNames(io))
  throw new UsageError(`${problem} ${quote(name)}${similar}`, { hint: 'use syn prompts to list the prompts' })
}

/** The path of a stored prompt that is to be sent. @throws UsageError as `storedPrompt`, and if another user can change it. */
export function trustedPrompt(name: string, io: Io, problem?: string): string {
  const path = storedPrompt(name, io, problem)
  checkWriters(path, ownerOf(io), 'read')
  return path
}

/** Splits off the head. @param where The file. @throws UsageError naming the line that is none of a head. */
export function splitHead(file: string, where: string): Pick<PromptText, 'text' | 'line' | 'head'> {
  const text = file.replaceAll('\r\n', '\n')
  const head = new Map<string, { value: string; line: number }>()
  if (!/^---[ \t]*(?:\n|$)/.test(text)) return { text, line: 1, head }
  // Only the start of 64 MiB is split into lines.
  const start = text.slice(0, 1024 * 1024)
  const [above, fields = ''] = /^---[ \t]*\n((?:[^]*?\n)??)---[ \t]*(?:\n|$)(?:[ \t]*\n){0,9}/.exec(start) ?? []
  if (above === undefined) throw new UsageError(`${where}, line 1: no line --- ends the fields that begin here`)
  for (const [index, entry] of fields.split('\n').entries()) {
    if (entry.trim() === '') continue
    const line = index + 2
    const at = `${where}, line ${line}`
    const [, name = '', value = ''] = /^([^:\s]+)\s*:([^]*)$/.exec(entry.trim()) ?? []
    if (name === '') throw invalidValue(at, { path: [], found: quote(entry), expected: 'KEY: VALUE' })
    if (head.has(name)) throw new UsageError(`${at}: ${quote(name)} is set twice`)
    head.set(name, { value: value.trim(), line })
  }
  return { text: text.slice(above.length), line: above.split('\n').length, head }
}
