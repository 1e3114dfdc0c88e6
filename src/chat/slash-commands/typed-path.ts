/** Paths typed in the chat, where no shell expands or unquotes them. */

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Io } from '../../io/io.ts'

/** Expands a leading `~/`. */
export function expandHome(path: string, { env }: Pick<Io, 'env'>): string {
  return /^~(\/|$)/.test(path) && env.HOME ? env.HOME + path.slice(1) : path
}

/** Removes the quotes or backslashes that terminals add to the path of a dropped file. */
export function unquoted(typed: string): string {
  const [, single, double] = /^(?:'([^']*)'|"([^"]*)")$/.exec(typed) ?? []
  return single ?? double ?? typed.replace(/\\(.)/g, '$1')
}

/** The path as typed or, if there is no such file, without quotes and backslashes. */
export function existingPath(typed: string, io: Pick<Io, 'env'>): string {
  const [path, other] = [expandHome(typed, io), expandHome(unquoted(typed), io)]
  return !existsSync(path) && existsSync(other) ? other : path
}

/** The paths that start with the typed one; directories end with a slash. Empty if the directory cannot be read. */
export async function completePath(typed: string, io: Pick<Io, 'env'>): Promise<string[]> {
  const directory = typed.slice(0, typed.lastIndexOf('/') + 1)
  const name = typed.slice(directory.length)
  const target = expandHome(directory === '' ? '.' : dirname(`${directory}.`), io)
  const entries = await readdir(target, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.name.startsWith(name) && (name !== '' || !entry.name.startsWith('.')))
    .map((entry) => `${directory}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .toSorted()
}
