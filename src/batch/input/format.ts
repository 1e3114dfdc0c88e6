/** The formats of the input, and how one is detected. */

import { isTable, recordFormatOf } from '../../input/records.ts'
import { isObject } from '../../io/json/json.ts'
import { notLines } from '../../io/text/first-bytes.ts'
import { parseJsonIfValid } from '../../io/json/parse.ts'
import type { Template } from '../../input/template.ts'

/** Lines of OpenAI's and of Anthropic's batches, any JSON values, tables with a header, and plain lines. */
export const batchInputFormats = ['openai', 'anthropic', 'jsonl', 'csv', 'tsv', 'lines'] as const

export type BatchInputFormat = (typeof batchInputFormats)[number] | 'files'

/**
 * @param where The document, for errors.
 * @param readFirstLine Reads the first line that is not blank; an empty one if there is none.
 * @throws UsageError for a JSON array that spans lines, or is the only line.
 */
export async function detectFormat(
  path: string | undefined,
  { delimiter, template }: { readonly delimiter?: string | undefined; readonly template?: Template | undefined },
  where: string,
  readFirstLine: () => Promise<string>,
): Promise<BatchInputFormat> {
  const named = path === undefined ? undefined : recordFormatOf(path)
  if (isTable(named)) return named
  if (named === undefined && delimiter !== undefined) return 'csv'
  const line = (await readFirstLine()).trim()
  const problem = notLines(where, line)
  if (problem) throw problem
  const value = parseJsonIfValid(line)
  if (named === undefined && !line.startsWith('{') && typeof value !== 'string') return 'lines'
  // With a template, records are data.
  if (template || !isObject(value)) return 'jsonl'
  if (value.body !== undefined && (value.url !== undefined || value.method !== undefined)) return 'openai'
  return isObject(value.params) ? 'anthropic' : 'jsonl'
}
