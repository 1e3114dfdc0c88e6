/** The input of `--files`: a row is a file, with its text and its path. */

import { normalize } from 'node:path'
import { mapConcurrently } from '../../api/concurrent-map.ts'
import { UsageError } from '../../errors.ts'
import { pathsMatching } from '../../fields/pattern.ts'
import { type InputItem, wholeRecord } from '../../input/records.ts'
import { decodeText, type InputIo, onOneLine, readInput } from '../../io/files/files.ts'
import { isSameFile, statsOf } from '../../io/files/stats.ts'
import { kindOf } from '../../io/text/first-bytes.ts'
import { InputBudget } from '../../io/process/input-budget.ts'
import { countText } from '../../io/text/plural.ts'
import { findBatchFiles, renamed, temporaryPath } from '../answers/files.ts'

/** A file that is no row, unless it had a text in the first pass. */
class NoTextError extends UsageError {}
class BinaryFileError extends NoTextError {}

/** @param output Where the results go: the files of the run are no rows. @throws UsageError for a pattern without a file. */
export async function openFiles(patterns: readonly string[], output: string, io: InputIo) {
  const paths = await findFiles(patterns, output)
  /** What the first pass found. Later ones have the same rows, whatever the files are then. */
  const errors: (UsageError | undefined)[] = []
  return {
    where: `--files ${patterns.map(onOneLine).join(' ')}`,
    isRepeatable: true,
    async *chunks() {},
    close() {},
    notes(): string[] {
      const skipped = errors.filter((error) => error instanceof NoTextError)
      const binary = skipped.filter((error) => error instanceof BinaryFileError).length
      const counts = [[binary, 'binary file'] as const, [skipped.length - binary, 'empty file'] as const]
      const texts = counts.flatMap(([count, name]) => (count === 0 ? [] : [countText(count, name)]))
      return texts.length === 0 ? [] : [`${texts.join(' and ')} skipped`]
    },
    /** Each row is a block: no other text is in memory. One that fails has its path in the output, too. */
    async *read(): AsyncGenerator<readonly InputItem[]> {
      const byReader = async ([index, path]: [number, string]) => {
        const read = errors[index] ?? io.readers?.read(path, `--files ${onOneLine(path)}`, io.signal)
        return { index, path, read: await Promise.resolve(read).catch(usageError) }
      }
      for await (const { index, path, read } of mapConcurrently(paths.entries(), byReader)) {
        const found = read ?? (await fileText(path, io))
        const [text, error] = typeof found === 'string' ? [found] : ['', found]
        if (index === errors.length) errors.push(error)
        if (errors[index] instanceof NoTextError) continue
        yield [{ line: index + 1, raw: path, value: { [wholeRecord]: text, path }, ...(error && { error }) }]
      }
    },
  }
}

/** In the order of the patterns, each file once. */
async function findFiles(patterns: readonly string[], output: string): Promise<string[]> {
  const files = await findBatchFiles(output)
  const { mode: _mode, ...written } = files
  const temporary = renamed.map((name) => temporaryPath(files, name))
  const own = [1, 2, ...Object.values(written), ...temporary].map(statsOf)
  const found = new Set<string>()
  for (const pattern of patterns) {
    const paths = (await pathsMatching(pattern)).filter((path) => {
      const stats = statsOf(path)
      // If there is nothing, or it cannot be found out, its row says why.
      return !stats || (stats.isFile() && !own.some((one) => one && isSameFile(one, stats)))
    })
    if (paths.length === 0) {
      const hint = statsOf(pattern)?.isDirectory() ? 'it is a folder: add /* to take its files' : undefined
      throw new UsageError(`--files: no file matches ${onOneLine(pattern) || "''"}`, { hint })
    }
    for (const path of paths) found.add(normalize(path))
  }
  return [...found]
}

/** @returns the error of a file without a text. @throws the signal's reason. */
async function fileText(path: string, io: InputIo): Promise<string | UsageError> {
  try {
    // The name - alone is standard input.
    const found = { ...io, inputBudget: new InputBudget(), isFound: true }
    const bytes = await readInput(path === '-' ? './-' : path, '--files', found)
    // The test of git and grep. A text in another encoding is none: its row fails, so that nobody misses it without a word.
    if (bytes.includes(0) || kindOf(bytes)) return new BinaryFileError(`--files: ${onOneLine(path)} is binary`)
    const text = decodeText(bytes, `--files ${onOneLine(path)}`)
    return text.trim() === '' ? new NoTextError(`--files: ${onOneLine(path)} is empty`) : text
  } catch (error) {
    return usageError(error)
  }
}

/** @throws any other error. */
function usageError(error: unknown): UsageError {
  if (error instanceof UsageError) return error
  throw error
}
