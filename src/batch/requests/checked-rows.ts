/** The rows of a run: every one is checked before the first request, if the input can be read again. */

import { UsageError, withAddedHint } from '../../errors.ts'
import type { Notices } from '../../notices.ts'
import {
  type CheckId,
  createIdCheck,
  customIdIfValid,
  customIdOf,
  type IdKey,
  lineId,
  repeatedIn,
} from '../input/custom-id.ts'
import type { BatchInput } from '../input/input.ts'
import type { OpenJob } from '../job.ts'
import type { OutputRow } from '../output/printer.ts'
import { countText, grouped } from '../../io/text/plural.ts'
import { type InputRecord, type InvalidRecord, valueAt } from '../../input/records.ts'
import type { RowError, RowRequest } from '../row.ts'
import { RowAnswers } from '../answers/rows.ts'
import { expectedText } from '../output/scores.ts'
import { hashNumber } from '../sha256.ts'

/** `count` includes the invalid rows, each once for each model. `repeatedIds`: the hashes of the ids that several rows have. */
export type CheckedRows = Awaited<ReturnType<typeof checkRows>>

const maxNamed = 10

/**
 * The first pass over an input that can be read again, and another one if ids come twice.
 * @throws UsageError for invalid rows, unless they are skipped, and for a column that no row has; what reading the input throws.
 */
export async function checkRows(open: OpenJob, keepsHashes: boolean, notices: Notices) {
  const { skipsInvalid, input, output, recorded, models } = open.job
  const expected = output.columns?.expected
  const ids: number[] = []
  const unknown = new Set(input.columns)
  const isFound = ({ value }: InputRecord, name: string): boolean =>
    name === expected?.column ? expectedText(value, expected) !== undefined : valueAt(value, name) !== undefined
  const check = async (repeatedIds: ReadonlySet<number>) => {
    /** With the hashes of all rows, if these are kept. */
    const answers = new RowAnswers(recorded.dedupes)
    const errors: UsageError[] = []
    let [count, invalid, usesQuota] = [0, 0, false]
    for await (const rows of rowsOf(open, createIdCheck(repeatedIds))) {
      for (const row of rows) {
        count += models.length
        if ('error' in row) {
          invalid += models.length
          for (const _model of models) answers.add(undefined)
          if (errors.length < maxNamed) errors.push(row.cause)
          continue
        }
        const others = models.slice(1).map((model) => open.builder.build(row.record, model))
        for (const request of [row, ...others]) {
          answers.add(keepsHashes ? request.hash : undefined, request.limit)
          if (repeatedIds.size === 0) open.forecast.add(request)
        }
        if (repeatedIds.size === 0) ids.push(hashNumber(row.customId))
        for (const name of unknown) if (isFound(row.record, name)) unknown.delete(name)
        // Embeddings do not count against the quota (section 4, note 8).
        usesQuota ||= row.operation.path !== '/openai/v1/embeddings'
      }
    }
    return { count, invalid, usesQuota, answers, repeatedIds, errors }
  }
  let checked = await check(new Set())
  const repeatedIds = repeatedIn(ids)
  if (repeatedIds.size > 0) checked = await check(repeatedIds)
  const { count, invalid, errors } = checked
  if (invalid > 0 && !skipsInvalid)
    throw await invalidRows(errors, invalid / models.length, count / models.length, notices)
  // Without a row, nothing is right: a run that judges answers is refused.
  const name = [...unknown].find((one) => count > invalid || one === expected?.column)
  const lacks = name === expected?.column ? '--expect: no row has a value in a' : '--keep: no row has a'
  if (name !== undefined) throw new UsageError(`${lacks} column named "${name}"`)
  return checked
}

async function invalidRows(
  errors: readonly UsageError[],
  invalid: number,
  count: number,
  notices: Notices,
): Promise<UsageError> {
  const hint = 'use --skip-invalid to send the others'
  const [first] = errors
  if (first && invalid === 1) return count === 1 ? first : withAddedHint(first, hint)
  for (const { message } of errors) await notices.warn(message)
  if (invalid > errors.length) await notices.warn('…')
  const others = errors.flatMap((one) => one.hint ?? []).slice(0, 1)
  return new UsageError(`${grouped(invalid)} of ${countText(count, 'row')} are invalid; nothing was sent`, {
    hint: count > invalid ? [hint, ...others] : others,
  })
}

/** A row that is not sent. */
export interface InvalidRow extends OutputRow {
  readonly error: RowError
  readonly cause: UsageError
}

/** A row of the input: its request, or why it has none. */
export type CheckedRow = RowRequest | InvalidRow

/**
 * The rows of an input in a pass over it.
 * @param checked Of an earlier pass. Without it, each row is checked. @param at The model that is asked, of several.
 */
export function readRows(open: OpenJob, checked?: CheckedRows, at?: number): AsyncIterable<readonly CheckedRow[]> {
  return rowsOf(open, idsToCheck(open, checked), at)
}

/** The rows whose results are written. Requests need not be made again to know that all rows have one. */
export function outputRows(open: OpenJob, checked: CheckedRows): AsyncIterable<readonly OutputRow[]> {
  return checked.invalid === 0 ? inputRows(open.input, open.idKey) : readRows(open, checked)
}

/** The rows of an input, without their requests. */
async function* inputRows(input: BatchInput, idKey: IdKey): AsyncGenerator<readonly OutputRow[]> {
  for await (const items of input.read()) {
    yield items.flatMap((item) => {
      if ('isBlank' in item) return []
      return 'error' in item
        ? [invalidRow(item, item.error, idKey)]
        : [{ record: item, customId: customIdOf(item, input.where, idKey) }]
    })
  }
}

/** @returns `undefined` if no row can fail: the input has not changed since all were checked. */
export function idsToCheck({ input }: OpenJob, checked: CheckedRows | undefined): CheckId | undefined {
  if (checked) return checked.invalid > 0 ? createIdCheck(checked.repeatedIds) : undefined
  // Plain lines have no ids of their own.
  return createIdCheck(input.format === 'lines' ? new Set() : undefined)
}

async function* rowsOf(job: OpenJob, checkId?: CheckId, at?: number): AsyncGenerator<readonly CheckedRow[]> {
  for await (const items of job.input.read()) {
    const rows: CheckedRow[] = []
    for (const item of items) {
      if ('isBlank' in item) continue
      const row = rowOf(item, job, checkId, at)
      rows.push(row instanceof Promise ? await row : row)
    }
    yield rows
  }
}

/**
 * @param checkId Has seen the ids of the rows before. Without it, the row is known to be valid.
 * @returns no promise if nothing is waited for: there are millions of rows.
 */
export function rowOf(
  item: InputRecord | InvalidRecord,
  { input, idKey, builder, secrets, job: { models } }: OpenJob,
  checkId: CheckId | undefined,
  at = 0,
): CheckedRow | Promise<CheckedRow> {
  const fail = (error: unknown): InvalidRow => {
    if (error instanceof UsageError) return invalidRow(item, error, idKey, secrets.mask(error.message))
    throw error
  }
  try {
    if ('error' in item) throw item.error
    const request = builder.build(item, models.length > 1 ? models[at] : undefined)
    const accept = (): RowRequest => {
      checkId?.(request.customId, item.line, input.where)
      return request
    }
    const checking = checkId && builder.check(request)
    return checking ? checking.then(accept).catch(fail) : accept()
  } catch (error) {
    return fail(error)
  }
}

/** @param message As it is stored. */
function invalidRow(
  item: InputRecord | InvalidRecord,
  cause: UsageError,
  idKey: IdKey,
  message = cause.message,
): InvalidRow {
  const record = { ...item, value: item.value ?? item.raw }
  const customId = customIdIfValid(record, idKey) ?? lineId(item.line)
  return { record, customId, error: { code: 'invalid_request', message }, cause }
}
