/** `--dry-run`: all rows are checked, and the first requests printed. */

import { printRequest } from '../preview.ts'
import { checkRows, readRows } from './requests/checked-rows.ts'
import { type JobContext, type Job, openJob } from './job.ts'
import { countText } from '../io/text/plural.ts'
import type { RowRequest } from './row.ts'

/** How many requests are printed. */
const maxShown = 3

/** Of a pipe, only what is printed is read and checked. @throws UsageError for invalid rows. */
export async function previewRequests(job: Job, context: JobContext): Promise<void> {
  const { notices } = context
  using open = await openJob(job, context)
  const checked = open.input.isRepeatable ? await checkRows(open, false, notices) : undefined
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
    await notices.info(`${[countText(count, 'request'), ...open.input.notes()].join(' · ')}${first}:`)
  }
  for (const { operation, body } of shown) await printRequest(operation, body, { ...context, options: {} })
}
