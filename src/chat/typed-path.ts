/** Paths typed in the chat, where no shell expands or unquotes them. */

import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Io } from '../io/io.ts'
import { statsOf } from '../io/files/stats.ts'
import type { Candidate } from '../terminal/line-editor/candidate-list.ts'
import type { ChatState } from './state.ts'

/** Expands a leading `~/`. */
export function expandHome(path: string, { env }: Pick<Io, 'env'>): string {
  return /^~(\/|$)/.test(path) && env.HOME ? env.HOME + path.slice(1) : path
}

/** Removes the quotes and backslashes that terminals add to the path of a dropped file, as a shell does. */
export function unquoted(typed: string): string {
  return typed.replace(
    /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g,
    (_quoted, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  )
}

/** The path as typed or, if there is no such file, without quotes and backslashes, or of a file URL. */
export function existingPath(typed: string, io: Pick<Io, 'env'>): string {
  // WezTerm adds backslashes to spaces only.
  const escaped = typed.replace(/\\([^])/g, '$1')
  const paths = [typed, unquoted(typed), escaped, pathOfUrl(typed)].map((path) => expandHome(path, io))
  return paths.find((path) => statsOf(path)) ?? paths[0] ?? typed
}

/** Of a file URL, which some terminals paste; the text itself if it is none. */
function pathOfUrl(typed: string): string {
  try {
    return /^file:/i.test(typed) ? fileURLToPath(typed) : typed
  } catch {
    return typed
  }
}

/** The directory of a path, and the dot before a hidden name. */
export const pathScope = /^(?:[^]*\/)?\.?/

/** What follows the scope in the paths that exist; directories end with a slash. Empty if the directory cannot be read. */
export async function completePath(scope: string, { context: { io } }: ChatState): Promise<Candidate[]> {
  const directory = scope.slice(0, scope.lastIndexOf('/') + 1)
  const dot = scope.slice(directory.length)
  const target = expandHome(directory === '' ? '.' : dirname(`${directory}.`), io)
  const entries = await readdir(target, { withFileTypes: true }).catch(() => [])
  return entries
    .filter(({ name }) => name.startsWith('.') === (dot !== ''))
    .map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .toSorted()
    .map((shown) => ({ text: shown.slice(dot.length), shown }))
}
