/** Reads the input of `syn batch` from a file or a pipe. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type BatchInput, type InputOptions, openInput } from '../../src/batch/input/input.ts'
import type { InputItem, InputRecord } from '../../src/input/records.ts'
import type { InputIo } from '../../src/io/files/files.ts'
import { InputBudget } from '../../src/io/process/input-budget.ts'
import { StandardInput, type InputKind } from '../../src/io/process/standard-input.ts'
import { emptyFolder } from './run-syn.ts'

/** @param chunks Of standard input (default: it is closed). */
export function inputIo(chunks?: Iterable<Uint8Array>, kind: InputKind = chunks ? 'pipe' : 'none'): InputIo {
  return {
    in: new StandardInput(kind, () => Readable.from(chunks ?? [])),
    inputBudget: new InputBudget(),
    signal: new AbortController().signal,
  }
}

/** A file with this text, in a folder of its own. */
export function inputFile(text: string | Uint8Array, name = 'in.txt'): string {
  const path = join(emptyFolder(), name)
  writeFileSync(path, text)
  return path
}

export function openFile(text: string, name?: string, options: InputOptions = {}): Promise<BatchInput> {
  return openInput(inputFile(text, name), options, inputIo())
}

/** One pass over the input. */
export async function readAll(input: BatchInput): Promise<InputItem[]> {
  const all: InputItem[] = []
  for await (const items of input.read()) all.push(...items)
  return all
}

/** The records of a text, in a file with this name. */
export async function recordsOf(text: string, name?: string, options: InputOptions = {}): Promise<InputRecord[]> {
  const input = await openFile(text, name, options)
  try {
    return (await readAll(input)).filter((item): item is InputRecord => 'value' in item)
  } finally {
    input.close()
  }
}

/** What an item is about, in short: its line, and its value or error. */
export function shown(item: InputItem): unknown[] {
  if ('isBlank' in item) return [item.line]
  return [item.line, 'error' in item ? item.error.message.replace(/^.*\/(?=[\w.-]+[:,])/, '') : item.value]
}
