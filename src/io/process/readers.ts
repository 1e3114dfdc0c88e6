/** Runs the commands that the user has set for files that are no text, such as `readers.pdf`. */

import { extname, isAbsolute, resolve } from 'node:path'
import { UsageError } from '../../errors.ts'
import { decodeText } from '../files/files.ts'
import { statsOf } from '../files/stats.ts'
import type { Io, Readers } from '../io.ts'
import type { Json } from '../json/json.ts'

/** In UTF-16 units: the texts that are kept for the next time. */
const maxKept = 64 * 1024 * 1024

/** The words of a command, as a shell splits them; but a backslash before a letter stays (`C:\bin`), and so does a quote without its pair. */
function wordsOf(command: string): string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|\\[\s"'\\]|\S)+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'|\\([\s"'\\])/g, '$1$2$3'))
}

/** @param name As `readers.pdf`. @param where Names it in the error. @throws UsageError for what is not accepted. */
export function checkReader(name: string, command: Json, where = name): void {
  if (!/^readers\.[a-z\d_]+$/.test(name)) throw new UsageError(`${where}: expected an extension, as in readers.pdf`)
  const words = typeof command === 'string' ? wordsOf(command) : []
  const isShell = words.some((word) => /^([|&;]+|\d?[<>].*)$/.test(word))
  if (words[0] !== '{}' && words.join('\n').split('{}').length === 2 && !isShell) return
  const hint = isShell ? `no shell reads it; use sh -c 'COMMAND "$1"' sh {}` : undefined
  throw new UsageError(`${where}: expected a command with {} once, for the path`, { hint })
}

/** @param commands By name, such as `readers.pdf`. @param notify Says something about what is read. */
export function createReaders(commands: ReadonlyMap<string, string>, io: Io, notify: Readers['notify']): Readers {
  /** By path, size and time. */
  const texts = new Map<string, string>()
  let kept = 0
  const nameFor = (path: string): string => `readers${extname(path).toLowerCase()}`
  const has = (path: string): boolean => commands.has(nameFor(path))

  async function read(path: string, where: string, signal: AbortSignal): Promise<string | undefined> {
    const stats = has(path) ? statsOf(path) : undefined
    if (!stats?.isFile()) return undefined
    const key = [resolve(path), stats.size, stats.mtimeMs].join()
    const known = texts.get(key)
    if (known !== undefined) return known
    const text = await run(path, where, signal)
    if (kept > maxKept) texts.clear()
    kept = text.length + (kept > maxKept ? 0 : kept)
    texts.set(key, text)
    return text
  }

  async function run(path: string, where: string, signal: AbortSignal): Promise<string> {
    const { outputOf, passedVariables, startGroup } = await import('./process-group.ts')
    const { withinSeconds } = await import('../time/time-limit.ts')
    // Otherwise a program takes a name such as `-a.pdf` for an option.
    const file = isAbsolute(path) || /^\.{1,2}[\\/]/.test(path) ? path : `./${path}`
    const words = wordsOf(commands.get(nameFor(path)) ?? '').map((word) => word.replace('{}', () => file))
    const fail = (why: string): UsageError =>
      new UsageError(`${where}: ${why}`, { hint: `the command that reads it: syn config get ${nameFor(path)}` })
    const { output, errors, failure } = await withinSeconds(60, signal, async (stop) => {
      const ended = await outputOf(startGroup(words, passedVariables(io), io), stop)
      return stop.aborted ? Promise.reject(stop.reason as Error) : ended
    }).catch((error: Error) => {
      signal.throwIfAborted()
      throw fail(error.message)
    })
    const lastLine = errors.toString().trimEnd().split('\n').at(-1)?.slice(0, 300)
    if (failure !== undefined) throw fail(lastLine || `the reader ${failure}`)
    const text = decodeText(output, `${where}, by its reader`)
    if (text.trim() === '') throw fail('the reader printed no text')
    return text
  }

  return { has, read, notify }
}
