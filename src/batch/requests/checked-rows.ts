/** The first pass over the input: every row is checked before the first request. */

import { UsageError } from '../../errors.ts'
import type { Notices } from '../../notices.ts'
import { customIdIfValid, customIdOf, CustomIds, type IdKey, lineId } from '../input/custom-id.ts'
import type { BatchInput } from '../input/input.ts'
import type { OpenJob } from '../job.ts'
import type { OutputRow } from '../output/output.ts'
import { countText, grouped } from '../counts.ts'
import type { RequestBuilder } from './request-builder.ts'
import type { InputRecord, InvalidRecord, RowError, RowRequest } from '../row.ts'
import { RowHashes } from '../journal/row-hashes.ts'
import { valueAt } from '../input/template.ts'

export interface CheckedRows {
  /** Invalid rows included. */
  readonly count: number
  readonly invalid: number
  /** Whether any request counts against the quota: those for embeddings do not (section 4, note 8). */
  readonly usesQuota: boolean
  /** Of all rows; `undefined` if they were not asked for. */
  readonly hashes: RowHashes | undefined
  /** The errors of rows whose `custom_id` an earlier row has, by line. */
  readonly duplicates: ReadonlyMap<number, UsageError>
}

/** How many invalid rows are named. */
const maxNamed = 10

interface CheckOptions {
  readonly skipsInvalid: boolean
  readonly keepsHashes: boolean
  /** The columns of the input that the output keeps. */
  readonly keep?: readonly string[] | undefined
}

/**
 * @throws UsageError for invalid rows, unless they are skipped, and for a column that no row has; what reading the input throws.
 */
export async function checkRows(
  { input, builder }: OpenJob,
  { skipsInvalid, keepsHashes, keep = [] }: CheckOptions,
  notices: Notices,
): Promise<CheckedRows> {
  const hashes = keepsHashes ? new RowHashes() : undefined
  const ids = new CustomIds()
  const errors: UsageError[] = []
  const unknown = new Set(keep)
  let [count, invalid, usesQuota] = [0, 0, false]
  const fail = (error: UsageError): void => {
    invalid += 1
    if (errors.length < maxNamed) errors.push(error)
  }
  for await (const items of input.read()) {
    for (const item of items) {
      if ('isBlank' in item) continue
      count += 1
      let request: RowRequest | undefined
      try {
        if ('error' in item) throw item.error
        request = builder.build(item)
        const checking = builder.check(request)
        if (checking) await checking
        ids.add(request.customId)
        for (const name of unknown) if (valueAt(item.value, name) !== undefined) unknown.delete(name)
        usesQuota ||= request.operation.path !== '/openai/v1/embeddings'
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        request = undefined
        fail(error)
      }
      if (hashes) hashes.add(request?.hash, request?.limit)
    }
  }
  const duplicates = await ids.duplicates(() => input.read(), input.where)
  for (const error of duplicates.values()) fail(error)
  if (invalid > 0 && !skipsInvalid) throw await invalidRows(errors, invalid, count, notices)
  const [name] = unknown
  if (name !== undefined && count > invalid) throw new UsageError(`--keep: no row has a column named "${name}"`)
  return { count, invalid, usesQuota, hashes, duplicates }
}

async function invalidRows(
  errors: readonly UsageError[],
  invalid: number,
  count: number,
  notices: Notices,
): Promise<UsageError> {
  const hint = 'use --skip-invalid to send the others'
  const [first] = errors
  if (first && invalid === 1)
    return count === 1 || first.hint !== undefined ? first : new UsageError(first.message, { hint })
  for (const { message } of errors) await notices.warn(message)
  if (invalid > errors.length) await notices.warn('…')
  return new UsageError(`${grouped(invalid)} of ${countText(count, 'row')} are invalid; nothing was sent`, {
    hint: count > invalid ? hint : errors.find((one) => one.hint !== undefined)?.hint,
  })
}

/** A row of the input: its request, or why it has none. */
export type Row =
  | { readonly item: InputRecord; readonly request: RowRequest; readonly error?: undefined }
  | { readonly item: InputRecord | InvalidRecord; readonly request?: undefined; readonly error: UsageError }

/** The rows in a later pass. */
export async function* readRows(job: OpenJob, checked: CheckedRows): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const items of job.input.read()) {
    const rows: Row[] = []
    for (const item of items) if (!('isBlank' in item)) rows.push(await rowOf(item, job.builder, checked))
    yield rows
  }
}

/** The rows whose results are written. Those with an error were not sent. */
export async function* outputRows(
  job: OpenJob,
  checked: CheckedRows,
): AsyncGenerator<readonly OutputRow[], void, undefined> {
  // Requests need not be made again to know that all rows have one.
  if (checked.invalid === 0) return yield* inputRows(job.input, job.idKey)
  for await (const rows of readRows(job, checked)) {
    yield rows.map(({ item, request, error }) =>
      error ? failedRow(item, error, job.idKey) : { record: item, customId: request.customId },
    )
  }
}

/** The rows of an input, without their requests. */
export async function* inputRows(
  input: BatchInput,
  idKey: IdKey,
): AsyncGenerator<readonly OutputRow[], void, undefined> {
  for await (const items of input.read()) {
    yield items.flatMap((item) => {
      if ('isBlank' in item) return []
      return 'error' in item
        ? [failedRow(item, item.error, idKey)]
        : [{ record: item, customId: customIdOf(item, input.where, idKey) }]
    })
  }
}

/** A row that is not sent. */
export function failedRow(
  item: InputRecord | InvalidRecord,
  { message }: UsageError,
  idKey: IdKey,
): OutputRow & { error: RowError } {
  const record = 'value' in item ? item : { ...item, value: item.raw }
  const customId = customIdIfValid(record, idKey) ?? lineId(item.line)
  return { record, customId, error: { code: 'invalid_request', message } }
}

/** Checked once more only if a row failed: others cannot fail now, as the input has not changed. */
async function rowOf(
  item: InputRecord | InvalidRecord,
  builder: RequestBuilder,
  { invalid, duplicates }: CheckedRows,
): Promise<Row> {
  try {
    if ('error' in item) throw item.error
    const duplicate = duplicates.get(item.line)
    if (duplicate) throw duplicate
    const request = builder.build(item)
    const checking = invalid > 0 ? builder.check(request) : undefined
    if (checking) await checking
    return { item, request }
  } catch (error) {
    if (error instanceof UsageError) return { item, error }
    throw error
  }
}
