/** Refuses command lines in which a shell has expanded a pattern: `-f *.txt` is `-f a.txt b.txt` by then. */

import { existsSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { UsageError } from '../errors.ts'
import { flagOf, type Field, type Fields } from '../fields/field.ts'
import { kindOf } from '../fields/kinds.ts'
import { shellWord } from '../io/shell-word.ts'

/**
 * @param argv The whole command line.
 * @param rows The options and fields of its command.
 * @throws UsageError if the words after the value of a flag for files are files too: they would become text.
 */
export function rejectExpandedPatterns(argv: readonly string[], rows: Fields): void {
  const flags = flagsWithValue(rows)
  for (let at = 0; at < argv.length && argv[at] !== '--'; at++) {
    const flag = lastFlagOf(argv[at] ?? '', flags)
    const row = flags.get(flag)
    if (row === undefined) continue
    const [first = '', ...words] = argv.slice(at + 1)
    const end = words.findIndex((word) => !isFile(word))
    const others = end === -1 ? words : words.slice(0, end)
    if (takesFiles(row) && others.length > 0) throw expandedPattern(flag, first, others)
    at++
  }
}

function flagsWithValue(rows: Fields): Map<string, Field> {
  const flags = new Map<string, Field>()
  for (const [name, row] of Object.entries(rows)) {
    if (kindOf(row).flag.value !== 'required') continue
    flags.set(flagOf(name), row)
    if (row.short) flags.set(`-${row.short}`, row)
  }
  return flags
}

/** `-f` for `-cf`, whose next word is the value of `-f`; any other word is returned as it is. */
function lastFlagOf(word: string, flags: ReadonlyMap<string, Field>): string {
  const letters = [...(/^-(\w+)$/.exec(word)?.[1] ?? '')]
  const at = letters.findIndex((letter) => flags.has(`-${letter}`))
  return at !== -1 && at === letters.length - 1 ? `-${letters[at]}` : word
}

function takesFiles(row: Field): boolean {
  return row.kind === 'texts' && row.completes === 'file'
}

function isFile(word: string): boolean {
  return existsSync(word) && statSync(word).isFile()
}

/** In files; a pattern may match thousands. */
const maxShown = 3

function expandedPattern(flag: string, first: string, others: readonly string[]): UsageError {
  const files = [first, ...others]
  const shown = files.slice(0, maxShown).map((file) => `${flag} ${shellWord(file)}`)
  const line = files.length > maxShown ? `${shown.join(' ')} …` : shown.join(' ')
  return new UsageError(`${flag} takes one file, but ${others[0]} after ${first} is a file too`, {
    hint: `repeat the flag: ${line}, or quote a pattern: ${flag} ${shellWord(`*${extname(first)}`)}`,
  })
}
