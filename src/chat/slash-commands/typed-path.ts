/** Paths typed in the chat, where no shell expands or unquotes them. */

import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Io } from '../../io/io.ts'

/** `~/notes.txt` → the file in the home directory. */
export function expandHome(path: string, { env }: Pick<Io, 'env'>): string {
  return /^~(\/|$)/.test(path) && env.HOME ? env.HOME + path.slice(1) : path
}

/** A path without the quotes or backslashes that terminals add to a file that is dropped on them. */
export function unquoted(typed: string): string {
  const [, single, double] = /^(?:'([^']*)'|"([^"]*)")$/.exec(typed) ?? []
  return single ?? double ?? typed.replace(/\\(.)/g, '$1')
}

/** The paths that begin with the typed one; directories end in a slash. None if the directory can't be read. */
export async function pathsFrom(typed: string, io: Pick<Io, 'env'>): Promise<string[]> {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1)
  const name = typed.slice(folder.length)
  const read = expandHome(folder === '' ? '.' : dirname(`${folder}.`), io)
  const entries = await readdir(read, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.name.startsWith(name) && (name !== '' || !entry.name.startsWith('.')))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .toSorted()
}
