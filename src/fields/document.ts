/** Reads JSON and text from an argument, a file or standard input. */

import { existsSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { decodeText, readInput, readStandardInput } from '../io/files.ts'
import type { Io } from '../io/io.ts'
import { invalidValue } from './problem.ts'
import type { LoadShape } from './field.ts'
import { isObject, parseJson, quote, type Json, type JsonObject } from '../io/json.ts'

/** Reads inline JSON, or the file that `@file` names. */
export async function readArgument(raw: string, flag: string, io: Io): Promise<Json> {
  if (raw.startsWith('@')) return (await readSource(raw.slice(1), flag, io)).json()
  try {
    return parseJson(raw, flag)
  } catch (error) {
    if (error instanceof UsageError && existsSync(raw)) {
      throw new UsageError(error.message, { hint: `use ${flag} @${raw} to read the file` })
    }
    throw error
  }
}

/** Returns the text itself, or the content of the file that `@file` names, without its final newline. */
export async function readTextArgument(raw: string, flag: string, io: Io): Promise<string> {
  if (!raw.startsWith('@')) return raw
  const path = raw.slice(1)
  const bytes = path === '-' ? await readStandardInput(`${flag} @-`, io) : await readInput(path, flag, io)
  return decodeText(bytes, `${flag} ${path}`).replace(/\r?\n$/, '')
}

/** Reads a JSON object from a path or `-`. */
export async function readObject(path: string, flag: string, io: Io): Promise<JsonObject> {
  const source = await readSource(path, flag, io)
  const value = source.json()
  if (!isObject(value)) throw invalidValue(source.where, { path: [], found: quote(value), expected: 'an object' })
  return value
}

/**
 * Reads a JSON array or JSON Lines from a path or `-`, and checks it.
 * @throws UsageError naming file, line and JSON path.
 */
export async function readList(path: string, flag: string, io: Io, load: LoadShape | undefined): Promise<Json[]> {
  const source = await readSource(path, flag, io)
  const lines = source.text.trimStart().startsWith('[') ? undefined : source.lines()
  const value = lines ? lines.map((line) => line.json) : source.json()
  if (load) {
    const { findProblem } = await import('./shape.ts')
    const problem = findProblem(await load(), value)
    const [first, ...rest] = problem?.path ?? []
    const line = typeof first === 'number' ? lines?.[first] : undefined
    if (problem && isWholeRequest(value)) {
      throw new UsageError(`${source.where}: this is a whole request; expected messages`, {
        hint: `use --body ${path} to start from it`,
      })
    }
    if (problem) throw line ? invalidValue(line.where, { ...problem, path: rest }) : invalidValue(source.where, problem)
  }
  return value as Json[]
}

/** A single object with `messages`: what `--dry-run` prints. */
function isWholeRequest(value: Json): boolean {
  const [only, ...others] = Array.isArray(value) ? value : []
  return isObject(only) && Array.isArray(only.messages) && others.length === 0
}

async function readSource(path: string, flag: string, io: Io): Promise<SourceText> {
  if (path.startsWith('@') && !existsSync(path)) {
    throw new UsageError(`${flag}: cannot read ${path}: no such file`, { hint: `${flag} takes a path without @` })
  }
  const bytes = await readInput(path, flag, io)
  const where = `${flag} ${path === '-' ? '(standard input)' : path}`
  return new SourceText(decodeText(bytes, where), where)
}

class SourceText {
  readonly text: string
  readonly where: string

  constructor(text: string, where: string) {
    this.text = text
    this.where = where
  }

  json(): Json {
    this.#mustNotBeEmpty()
    return parseJson(this.text, this.where)
  }

  /** Parses JSON Lines. Blank lines are skipped, but count in line numbers. */
  lines(): { json: Json; where: string }[] {
    this.#mustNotBeEmpty()
    const values: { json: Json; where: string }[] = []
    // Not split: 64 MiB of blank lines would take gigabytes.
    for (let [start, number] = [0, 1]; start < this.text.length; number++) {
      const end = this.text.indexOf('\n', start)
      const line = this.text.slice(start, end === -1 ? undefined : end)
      if (line.trim() !== '') {
        values.push({ json: parseJson(line, this.where, number), where: `${this.where}, line ${number}` })
      }
      start += line.length + 1
    }
    return values
  }

  #mustNotBeEmpty(): void {
    if (this.text.trim() === '') throw new UsageError(`${this.where}: empty; expected JSON`)
  }
}
