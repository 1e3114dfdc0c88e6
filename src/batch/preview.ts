/** `--dry-run`: all rows are checked, and the first requests printed. */

import { UsageError } from '../errors.ts'
import { printRequest } from '../preview.ts'
import { findBatchFiles } from './answers/files.ts'
import { answeredText, checkSettings, readRecorded } from './resume.ts'
import { readRows } from './requests/checked-rows.ts'
import { baseUrlOf, type JobContext, type Job, openJob, settingsOf } from './job.ts'
import { countText, grouped } from '../io/text/plural.ts'
import type { RowRequest } from './row.ts'

const maxShown = 3

/**
 * Only what is printed is read of a pipe, and checked.
 * @param path As given with `--output`: whose answers are counted.
 * @throws UsageError for invalid rows, and for settings that the run would be refused for; ThresholdError for --max-cost.
 */
export async function previewRequests(job: Job, path: string | undefined, context: JobContext): Promise<void> {
  const { notices, io } = context
  using open = await openJob(job, context)
  const files = path === undefined ? { answers: '' } : await findBatchFiles(path)
  const recorded = open.input.isRepeatable ? await readRecorded(open, files, notices, io.signal) : undefined
  if (!recorded && job.maxCost !== undefined) {
    throw new UsageError('--dry-run with --max-cost reads all rows: it needs a file')
  }
  const checked = recorded?.checked
  const shown: RowRequest[] = []
  for await (const rows of readRows(open, checked)) {
    for (const row of rows) {
      if ('error' in row) {
        if (!job.skipsInvalid) throw row.cause
      } else if (shown.length < maxShown) shown.push(row)
    }
    if (shown.length === maxShown) break
  }
  if (checked) {
    const count = checked.count - checked.invalid
    const first = count > shown.length ? `; the first ${shown.length}` : ''
    const { answered, left } = recorded
    const { unit, forecast, input } = open
    const known = left < count ? [answeredText(answered, checked.count, unit), `${grouped(left)} would be sent`] : []
    const invalid = checked.invalid > 0 ? [countText(checked.invalid / job.models.length, 'invalid row')] : []
    forecast.begin(await context.catalog.availableModels(), left, recorded.summary.spent, job)
    const notes = [...(job.maxCost === undefined ? [] : forecast.gate.notes), ...input.notes()]
    const parts = [countText(count, 'request'), ...known, ...invalid, ...forecast.planned, ...notes]
    await notices.info(`${parts.join(' · ')}${first}:`)
  }
  for (const { operation, body } of shown) await printRequest(operation, body, { ...context, options: {} })
  if (recorded) checkSettings(open, files, recorded, settingsOf(open, baseUrlOf(context.settings)))
  if (open.forecast.gate.excess) throw open.forecast.gate.excess
}
