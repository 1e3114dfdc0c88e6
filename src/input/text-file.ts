/** Text files in a prompt, whole or some lines of them, as flags and the chat name them. */

import { extname } from 'node:path'
import { UsageError } from '../errors.ts'
import { decodeText, inputName, readInput } from '../io/files/files.ts'
import { isFile, mayExist } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import { withNull } from '../io/text/encoding.ts'

export interface FileLines {
  /** `-` for standard input. */
  readonly path: string
  /** With the lines, as in `src/a.ts:10-20`. */
  readonly name: string
  /** From 1 on. Without them, the whole file is meant. */
  readonly lines?: readonly [first: number, last: number]
}

export interface TextFile extends FileLines {
  readonly text: string
}

/** `:10-20`, `:10`, `:10:5` with a column, `#L10-L20`, `#L10C5` and `#10-20`, as compilers, GitHub and editors write lines. */
export const lineSuffix = String.raw`[:#]L?(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?|:\d+)?`

/**
 * The file that a name means, and the lines at its end if no file has this very name.
 * @param find Finds the path of a name (default: the name itself).
 */
export function fileLines(named: string, find = (name: string): string => name): FileLines {
  const path = find(named)
  const [suffix = '', first, last = first] = new RegExp(`${lineSuffix}$`).exec(named) ?? []
  const file = find(named.slice(0, named.length - suffix.length))
  if (suffix === '' || mayExist(path) || !isFile(file)) return { path, name: path }
  return {
    path: file,
    name: `${file}:${first}${last === first ? '' : `-${last}`}`,
    lines: [Number(first), Number(last)],
  }
}

/**
 * Reads a file, lines of it, or standard input for `-`.
 * @param options `name`: the argument, for errors; `hint`: of the error for a file that is not text.
 * @throws UsageError if it cannot be read, is not UTF-8, contains null bytes or does not have the lines.
 */
export async function readTextFile(
  named: string,
  io: Io,
  { name = '--file', hint }: { name?: string; hint?: string | undefined } = {},
): Promise<TextFile> {
  const file = fileLines(named)
  const text = decodePlainText(await readInput(file.path, name, io), inputName(name, file.path), hint)
  return { ...file, text: file.lines ? linesIn(text, file.lines, inputName(name, named)) : text }
}

function linesIn(text: string, [first, last]: readonly [number, number], where: string): string {
  let [count, from] = [0, 0]
  // Nothing is split: 64 MiB of blank lines would take gigabytes.
  for (let start = 0; start < text.length;) {
    count++
    if (count === first) from = start
    start = text.indexOf('\n', start) + 1 || text.length
    if (count === last && first > 0 && first <= last) return text.slice(from, start)
  }
  throw new UsageError(`${where}: no such lines; the last one is ${count}`)
}

/** @throws UsageError if it is not UTF-8, or contains null bytes. */
export function decodePlainText(bytes: Uint8Array, where: string, hint: string | undefined): string {
  const text = decodeText(bytes, where, hint)
  if (text.includes('\0')) throw withNull(where, text, hint)
  return text
}

/** A file's path with its lines, and its text in a fence longer than any fence in it. */
export function fenced({ path, name, text }: TextFile): string {
  let longestRun = 2
  for (const [run] of text.matchAll(/`+/g)) longestRun = Math.max(longestRun, run.length)
  const fence = '`'.repeat(longestRun + 1)
  const language = /^\.(\w+)$/.exec(extname(path))?.[1] ?? ''
  const end = text.endsWith('\n') ? '' : '\n'
  return `${path === '-' ? 'standard input' : name}:\n${fence}${language}\n${text}${end}${fence}`
}
