/** An output without a journal: whether it has the results of the input. */

import { closeSync, openSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { inputRows } from '../requests/checked-rows.ts'
import { countText, grouped } from '../counts.ts'
import { type Context, type Job, openJob } from '../job.ts'
import { scanLines } from '../journal/line-scanner.ts'
import { type OutputFormat, rowId } from './output.ts'

/** How a row of results begins, up to its id. */
const idStart = '{"id":"'

/**
 * Reads both once. Another template cannot be seen in results, nor the rows in a table.
 * @param path Of the output.
 * @throws UsageError if it has the results of other rows, or of fewer.
 */
export async function checkComplete(job: Job, path: string, context: Context): Promise<void> {
  const { input } = await openJob(job, context)
  const hint = 'use --restart to start again, or choose another --output'
  const fail = (reason: string): UsageError => new UsageError(`${path} is not of this run: ${reason}`, { hint })
  try {
    const lines = job.output.type === 'csv' ? undefined : resultLines(path)
    let [rows, results] = [0, 0]
    for await (const block of inputRows(input)) {
      for (const { record } of block) {
        rows += 1
        const line = await lines?.next()
        if (!line || line.done) continue
        results += 1
        if (hasIds(job.output) && line.value !== idStart + rowId(record)) {
          throw fail(`line ${results} is not the result of ${input.where}, line ${record.line}`)
        }
      }
    }
    if (!lines) return
    for await (const _ of lines) results += 1
    if (results !== rows) throw fail(`it has ${countText(results, 'result')}, and the input ${grouped(rows)}`)
  } finally {
    input.close()
  }
}

/** Whether the results are rows in the shape of OpenAI's. */
export function hasIds(output: OutputFormat): boolean {
  return output.type === 'jsonl' && output.columns === undefined
}

/** The start of each line, as long as an id. */
async function* resultLines(path: string): AsyncGenerator<string, void, undefined> {
  const file = openSync(path, 'r')
  const length = idStart.length + rowId({ line: 0, raw: '', value: null }).length
  try {
    for await (const { lines } of scanLines(file, false)) {
      for (const { start } of lines) yield start.toString('latin1', 0, length)
    }
  } finally {
    closeSync(file)
  }
}
