/** Puts recorded results into the order of the input. */

import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import type { AnswerSchema } from '../../answer/schema.ts'
import { FailedError, reasonOf } from '../../errors.ts'
import { isObject } from '../../io/json/json.ts'
import { parseStoredJson } from '../../io/json/parse.ts'
import { NewFile, removeFile, syncName } from '../../io/files/regular-file.ts'
import { type BatchFiles, type RenamedFile, stateOfFiles, temporaryPath } from '../answers/files.ts'
import { decodeLine, limitOfPart, rowNeeds, type StoreLine } from '../answers/line.ts'
import { lineReader } from '../answers/line-reader.ts'
import type { RowAnswers } from '../answers/rows.ts'
import type { Digest } from '../answers/scan.ts'
import type { AnswerStore } from '../answers/store.ts'
import { checkJson } from '../../answer/outcome.ts'
import type { RowError } from '../row.ts'
import { createPrinter, type InputHeader, type OutputFormat, type OutputRow, resultRow, textsOf } from './printer.ts'
import type { Scores } from './scores.ts'

export interface OutputOptions {
  readonly format: OutputFormat
  /** The input, whose rows they are. */
  readonly input: InputHeader
  /** Whether answers that are empty or cut off are results; with a schema, those that match it. */
  readonly allowsCut: boolean
  readonly schema: Pick<AnswerSchema, 'check'> | undefined
  readonly scores?: Scores | undefined
  /** The digest of the results that are there. */
  readonly former: Digest | undefined
  /** `stateOfFiles` when the run began. */
  readonly before: string
  /** Called when all is on the disk, before the results take their name: without their digest in the store, they are refused. */
  readonly onWritten: (written: WrittenOutput) => Promise<void>
}

export interface WrittenOutput {
  readonly done: number
  /** How many of the done rows have an answer that ended at the token limit. */
  readonly cutOff: number
  readonly failed: number
  /** How many of the failed rows have an answer that is not whole. */
  readonly parts: number
  /** How many of these a higher token limit sends again, and how many --retry-empty does. */
  readonly cutParts: number
  readonly emptyParts: number
  /** The message of the last row that failed. */
  readonly lastError: string
  readonly digest: Digest
  /** Whether it differs from the results that are there. */
  readonly isChanged: boolean
}

/**
 * Writes the results and the errors. A kill at any moment leaves files from which the same command ends in the same results.
 * @param rows All rows, as in the run.
 * @throws FailedError also if another program has written the files meanwhile.
 */
export async function writeOutput(
  files: BatchFiles,
  store: AnswerStore,
  answers: RowAnswers,
  rows: AsyncIterable<readonly OutputRow[]>,
  options: OutputOptions,
): Promise<WrittenOutput> {
  using output = new ResultFile(files, 'output')
  using errors = new ResultFile(files, 'errors')
  const print = await createPrinter(options.format, options.input, { isFile: true, scores: options.scores })
  const { models = [undefined] } = options.format.columns ?? {}
  const readLine = lineReader(store.file)
  const counts = { done: 0, cutOff: 0, failed: 0, parts: 0, cutParts: 0, emptyParts: 0 }
  let lastFailed = ''
  let number = 0
  for await (const block of rows) {
    if (number === 0) await output.add(print.header())
    for (const row of block) {
      const results: string[] = []
      for (const [at, model] of models.entries()) {
        const offset = answers.offsetOf(number++)
        // A file may be invalid now, and was not when its text was sent.
        const record = offset === undefined ? undefined : readRecord(() => readLine(offset), store)
        const isPart = record && limitOfPart(record.head) !== undefined
        const result = record?.result.slice(1, -1) ?? `"response":null,"error":${JSON.stringify(row.error ?? noAnswer)}`
        const members = isPart && options.allowsCut ? await takenPart(result, options.schema) : result
        const isDone = members.endsWith(noError)
        results.push(isDone ? members : '')
        if (isDone) {
          counts.done += 1
          if (record?.head.cut_off === true) counts.cutOff += 1
          if (record) options.scores?.spend(at, record.head)
          continue
        }
        counts.failed += 1
        if (isPart) {
          const needed = rowNeeds(record.head)
          counts.parts += 1
          if (needed === 'a higher limit') counts.cutParts += 1
          if (needed === '--retry-empty') counts.emptyParts += 1
        }
        lastFailed = members
        await errors.add(`${resultRow(row, members, model)}\n`)
      }
      const line = `${print.head(row)}${print.tail(results, row)}${print.lineEnd()}`
      if (print.hasLineOfFailed || results.some((result) => result !== '')) await output.add(line)
    }
  }
  if (number === 0) await output.add(print.header())
  await errors.end()
  const digest = await output.end()
  const failed = parseStoredJson(`{${lastFailed}}`)
  const error = isObject(failed) && isObject(failed.error) ? failed.error.message : undefined
  const lastError = typeof error === 'string' ? error : ''
  const written = { ...counts, lastError, digest, isChanged: digest.hash !== options.former?.hash }
  if (stateOfFiles(files) !== options.before) {
    throw new FailedError(`${files.output} or ${files.errors} was changed during the run by another program`, {
      hint: 'move it',
    })
  }
  await options.onWritten(written)
  if (counts.failed > 0) await errors.rename()
  else for (const path of [errors.path, files.errors]) removeFile(path)
  if (written.isChanged) await output.rename()
  syncName(files.output)
  return written
}

const noAnswer: RowError = { code: 'no_answer', message: 'no answer is recorded' }

/** What comes last in a result. Inside a string the quotes would be escaped. */
const errorKey = ',"error":'
const noError = `${errorKey}null`

/** With --allow-cut, an answer that is not whole has no error, or that of a schema which it does not match. */
async function takenPart(members: string, schema: OutputOptions['schema']): Promise<string> {
  let error: RowError | null = null
  for (const text of schema ? textsOf(members) : []) {
    const found = schema && (await checkJson(text, schema.check))
    if (typeof found === 'object') error ??= { code: found.code, message: found.error.message }
  }
  return members.slice(0, members.lastIndexOf(errorKey) + errorKey.length) + JSON.stringify(error)
}

/** @returns `undefined` for one that was damaged since the store was read. @throws FailedError */
function readRecord(line: () => Buffer, { path }: AnswerStore): StoreLine | undefined {
  try {
    return decodeLine(line())
  } catch (error) {
    throw new FailedError(`cannot read ${path}: ${reasonOf(error)}`)
  }
}

/** @returns `undefined` without the file. @throws FailedError */
export async function digestOf(path: string): Promise<Digest | undefined> {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) return undefined
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer)
  } catch (error) {
    throw new FailedError(`cannot read ${path}: ${reasonOf(error)}`)
  }
  return { size, hash: hash.digest('hex') }
}

/** In characters, of what is written at once. */
const pieceSize = 256 * 1024

/** The results or the errors, written in large pieces, which know their digest. */
class ResultFile extends NewFile {
  #held = ''
  readonly #hash = createHash('sha256')
  /** In bytes. */
  #size = 0

  /** Replaces what a run that was killed has left of it. @throws FailedError */
  constructor(files: BatchFiles, name: Exclude<RenamedFile, 'answers'>) {
    super(files[name], { path: temporaryPath(files, name), mode: files.mode })
    removeFile(this.path)
    this.opened()
  }

  /** @throws FailedError */
  async add(text: string): Promise<void> {
    this.#held += text
    if (this.#held.length >= pieceSize) await this.#flush()
  }

  /** Closes it when it is on the disk. @throws FailedError */
  async end(): Promise<Digest> {
    await this.#flush()
    await this.finish(true)
    return { size: this.#size, hash: this.#hash.digest('hex') }
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#held)
    this.#held = ''
    this.#size += bytes.length
    this.#hash.update(bytes)
    await this.write(bytes)
  }
}
