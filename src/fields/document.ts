/** Reads JSON and text from an argument, a file or standard input. */

import { UsageError } from '../errors.ts'
import { homeDirectory } from '../io/files/directories.ts'
import { mayExist, statsOf } from '../io/files/stats.ts'
import { decodeText, inputName, onOneLine, readInput, readStandardInput } from '../io/files/files.ts'
import type { Io } from '../io/io.ts'
import { invalidValue } from './problem.ts'
import type { LoadShape } from './field.ts'
import type { Json } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import { quote } from '../io/json/print.ts'
import { parseExactJson } from './numbers.ts'
import { promptPath, type PromptText, splitHead, trustedPrompt } from './prompt-file.ts'

/** The files that documents were read from, for errors in them that are found later. */
const sources = new WeakMap<object, string>()

/** Names the flag, and the file if the document was read from one. */
export function sourceOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? sources.get(value) : undefined
}

/**
 * Reads a JSON document.
 * @param neither Makes the error for a text that is neither JSON nor a file (default: one that says so).
 */
export async function readJson(raw: string, flag: string, io: Io, neither?: () => Error): Promise<Json> {
  const { text, where } = await readDocument(raw, flag, io, neither)
  return withSource(parseExactJson(text, where), where)
}

/** For `sourceOf`. @returns the value itself. */
export function withSource(value: Json, where: string): Json {
  if (typeof value === 'object' && value !== null) sources.set(value, where)
  return value
}

/** `notify` prints a notice. */
type NotifyingIo = Io & { readonly notify?: (text: string) => Promise<void> }

/**
 * The text itself, or that of the stored prompt or else the file that `@name` names, without its final newline. The prompt is the
 * user's own; the file, after a `git clone`, somebody else's.
 */
export async function readPrompt(raw: string, flag: string, io: NotifyingIo): Promise<PromptText> {
  if (!raw.startsWith('@')) return { where: flag, text: raw, line: 1, head: new Map() }
  const named = pathAfterAt(raw, io)
  const stored = promptPath(named, io)
  // A prompt that cannot be read counts: nothing else is sent in its place.
  const isStored = stored !== undefined && mayExist(stored)
  const hasFile = stored === undefined || statsOf(named)?.isDirectory() === false
  const problem = `${flag}: cannot read ${named}: no such file, and no prompt`
  const path = hasFile && !isStored ? named : trustedPrompt(named, io, problem)
  if (hasFile && isStored) {
    await io.notify?.(`${flag}: using the prompt ${named}, not the file ${named} here; use @./${named} for the file`)
  }
  const bytes = path === '-' ? await readStandardInput(`${flag} @-`, io) : await readInput(path, flag, io)
  const where = inputName(flag, path)
  return { name: onOneLine(raw.slice(1)), where, ...splitHead(decodeText(bytes, where).replace(/\r?\n$/, ''), where) }
}

/** The text of `readPrompt`. @throws UsageError also for a head with fields. */
export async function readTextArgument(raw: string, flag: string, io: NotifyingIo): Promise<string> {
  const { text, where, head } = await readPrompt(raw, flag, io)
  const [name, field] = [...head].find(([one]) => one !== 'description') ?? []
  if (!field) return text
  throw new UsageError(`${where}, line ${field.line}: ${flag} takes a text only, and the file sets ${quote(name)}`)
}

/** Reads a JSON array or JSON Lines, and checks it. @throws UsageError naming file, line and JSON path. */
export async function readList(raw: string, flag: string, io: Io, load: LoadShape | undefined): Promise<Json[]> {
  const source = await readDocument(raw, flag, io)
  const lines = source.text.trimStart().startsWith('[') ? undefined : jsonLines(source)
  const value = lines ? lines.map((line) => line.json) : parseExactJson(source.text, source.where)
  if (load) {
    const { findProblem } = await import('./shape.ts')
    const problem = findProblem(await load(), value)
    const [first, ...rest] = problem?.path ?? []
    const line = typeof first === 'number' ? lines?.[first] : undefined
    if (problem) throw line ? invalidValue(line.where, { ...problem, path: rest }) : invalidValue(source.where, problem)
  }
  return value as Json[]
}

/** The text of a document, and the flag and file that it is from. */
interface DocumentText {
  readonly text: string
  readonly where: string
}

/** Text that begins with { or [ is JSON; `@x` and `x` are the file x, `-` is standard input. */
async function readDocument(raw: string, flag: string, io: Io, neither?: () => Error): Promise<DocumentText> {
  if (isInline(raw)) return { text: raw, where: flag }
  const path = raw.startsWith('@') ? pathAfterAt(raw, io) : raw
  if (path === raw && path !== '-' && !mayExist(path)) {
    // For 5 or "text", the check of the value says what is expected.
    if (parseJsonIfValid(raw) !== undefined) return { text: raw, where: flag }
    // A path in full, but not any text.
    const shown = raw.length > 255 ? quote(raw) : JSON.stringify(raw)
    throw neither?.() ?? new UsageError(`${flag}: ${shown} is neither JSON nor a file`)
  }
  const bytes = await readInput(path, flag, io)
  // Without its @, a name such as { would look like inline JSON.
  const name = isInline(path) ? raw : path
  const where = inputName(flag, path === '-' ? '(standard input)' : name)
  const text = decodeText(bytes, where)
  if (text.trim() === '') throw new UsageError(`${where}: empty; expected JSON`)
  return { text, where }
}

/** No shell expands the home folder in a path after `@`, and completion goes on from it. */
function pathAfterAt(raw: string, { env }: Io): string {
  return raw.slice(1).replace(/^~(?=\/)/, () => homeDirectory(env))
}

function isInline(raw: string): boolean {
  return /^\s*[[{]/.test(raw)
}

/** Parses JSON Lines. Blank lines are skipped, but count in line numbers. */
function jsonLines({ text, where }: DocumentText): { json: Json; where: string }[] {
  const values: { json: Json; where: string }[] = []
  // Nothing is split: 64 MiB of blank lines would take gigabytes.
  for (let [start, number] = [0, 1]; start < text.length; number++) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end === -1 ? undefined : end)
    if (line.trim() !== '') {
      values.push({ json: parseExactJson(line, where, number), where: `${where}, line ${number}` })
    }
    start += line.length + 1
  }
  return values
}
