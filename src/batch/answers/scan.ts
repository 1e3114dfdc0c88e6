/** Reads a store from its start to its end: what all of it contains, and which of its records answer the rows of a run. */

import { UsageError } from '../../errors.ts'
import { isObject, type JsonObject, objectsIn, stringsIn } from '../../io/json/json.ts'
import { UsageTotals } from '../../answer/usage-totals.ts'
import { decodeUsage } from '../../stream/delta.ts'
import {
  changedSettings,
  decodeLine,
  decodeRun,
  limitOfPart,
  modelsOf,
  rowNeeds,
  type RunRecord,
  type RunSettings,
} from './line.ts'
import { scanLines } from './line-reader.ts'
import type { ByteRange, RowAnswers } from './rows.ts'

/** What tells written results from others. */
export interface Digest {
  /** In bytes. */
  readonly size: number
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string
}

/** How a run ended; without it, the run was killed. */
export type RunEnd = 'complete' | 'stopped' | 'interrupted'

export class StoreSummary {
  /** The last one. */
  run: RunRecord | undefined
  /** How it ended; `undefined` if it was killed, or is running. */
  end: RunEnd | undefined
  /** Why it could not write the store. */
  failure: string | undefined
  /** The most requests whose replies it sent for and did not record. */
  inFlight = 0
  /** How many of the answers that count and are whole rows have; rows may share one. */
  used = 0
  /** Whether any answer is not whole. */
  hasParts = false
  /** The rows of which an answer is not whole, and that don't ask for a longer one. */
  parts = 0
  /** All whose answers count: where they are, and how many of them are whole. */
  runs: { readonly run: RunRecord; readonly start: number; end: number; answers: number }[] = []
  /** The results that runs have written. */
  readonly outputs: Digest[] = []
  /** The answers of runs that no longer count, as a later one with `--restart` had the same settings. */
  retired: readonly ByteRange[] = []
  /** What all runs spent. */
  readonly spent = new UsageTotals()
  /** Lines. */
  damaged = 0
  /** The end of the last whole line that is not empty, in bytes. What follows was torn when it was written. */
  size = 0

  /** What differs from the settings of the last run; nothing if any run had these. */
  changed(now: RunSettings): string[] {
    return this.#runsWith(now).length > 0 ? [] : changedSettings(this.run?.settings ?? {}, now)
  }

  /** The number of answers that count. @param settings Of the runs that got them (default: any). */
  answers(settings?: RunSettings): number {
    return (settings ? this.#runsWith(settings) : this.runs).reduce((sum, { answers }) => sum + answers, 0)
  }

  /** Whether a run with these settings asked other models, too. */
  hasOtherModels(now: RunSettings): boolean {
    return this.#runsWith(now).some(({ run }) => modelsOf(run.settings).some((model) => !modelsOf(now).includes(model)))
  }

  #runsWith(now: RunSettings): StoreSummary['runs'] {
    return this.runs.filter(({ run }) => changedSettings(run.settings, now).length === 0)
  }

  /** @param start In bytes. */
  addRun(run: RunRecord, start: number): void {
    const last = this.runs.at(-1)
    if (last) last.end = Math.min(last.end, start)
    const former = run.restart === undefined ? [] : this.#runsWith(run.settings)
    const retired = former.filter((one) => one.start >= start - (run.restart ?? 0))
    this.retired = [...this.retired, ...retired]
    this.runs = this.runs.filter((one) => !retired.includes(one))
    this.runs.push({ run, start, end: Infinity, answers: 0 })
    Object.assign(this, { run, end: undefined, failure: undefined, inFlight: run.jobs })
  }

  /** @param head Of a record. It costs what a model does that the row names, or that of the run. */
  addRecord(head: JsonObject): void {
    const { requested = '', stands_for: target = '' } = this.run?.model ?? {}
    const names = typeof head.requested === 'string' ? [head.requested] : [requested, target]
    this.spent.add(names, decodeUsage(head.usage))
    this.inFlight = numberOf(head, 'jobs')
    this.hasParts ||= limitOfPart(head) !== undefined
    const run = this.runs.at(-1)
    if (run && isAnswer(head)) run.answers += 1
  }
}

interface ScanOptions {
  /** The rows, to which records are given. */
  readonly answers: RowAnswers
  readonly signal: AbortSignal
  /** Whether rows are to be sent again whose answer is empty. */
  readonly retriesEmpty: boolean
}

/** @throws UsageError for a run of another version of syn; system errors; the signal's reason. */
export async function scanStore(file: number, path: string, options: ScanOptions): Promise<StoreSummary> {
  const { answers, signal } = options
  const summary = new StoreSummary()
  for await (const { lines, end } of scanLines(file, signal)) {
    for (const { bytes, offset } of lines) {
      if (bytes.length === 0) continue
      const head = decodeLine(bytes)?.head
      // The last line may lack its line end. Its seal says whether it is whole.
      if (!head && offset + bytes.length === end) continue
      // Without the empty line before one that was torn: of a store that has no other line, nothing stays.
      summary.size = Math.min(end, offset + bytes.length + 1)
      if (!head) summary.damaged += 1
      else if (typeof head.hash === 'string') {
        summary.addRecord(head)
        if (isAnswer(head)) answers.give(head.hash, numberOf(head, 'row'), offset)
      } else if (isObject(head.output)) {
        summary.outputs.push(head.output as unknown as Digest)
      } else if (head.spent !== undefined) {
        // Older versions left out records, and kept what they had cost.
        for (const { names, usage, count } of objectsIn(head.spent))
          summary.spent.add(stringsIn(names), decodeUsage(usage), Number(count))
      } else if (typeof head.end === 'string') {
        summary.end = head.end as RunEnd
        summary.failure = typeof head.failure === 'string' ? head.failure : undefined
        summary.inFlight = numberOf(head, 'in_flight')
      } else if (head.run !== undefined) {
        const run = decodeRun(head)
        if (!run) throw new UsageError(`${path} is of another version of syn batch`)
        summary.addRun(run, offset)
        if (run.restart !== undefined) for (const range of summary.retired) answers.forget(range)
      }
    }
  }
  summary.used = answers.records
  // Once all answers have their rows: a row with a part may have been answered since.
  if (summary.hasParts) await giveParts(file, summary, options)
  return summary
}

async function giveParts(
  file: number,
  summary: StoreSummary,
  { answers, signal, retriesEmpty }: ScanOptions,
): Promise<void> {
  for await (const { lines } of scanLines(file, signal)) {
    for (const { bytes, offset } of lines) {
      const head = decodeLine(bytes)?.head
      const cutAt = head && limitOfPart(head)
      if (cutAt === undefined || typeof head?.hash !== 'string') continue
      const needed = rowNeeds(head)
      const isRetired = summary.retired.some(({ start, end }) => offset >= start && offset < end)
      if (isRetired || (retriesEmpty && needed === '--retry-empty')) continue
      const tooShort = needed === 'a higher limit' ? cutAt : undefined
      summary.parts += answers.give(head.hash, numberOf(head, 'row'), offset, tooShort)
    }
  }
}

/** Whether a record has an answer that is whole. */
function isAnswer(head: JsonObject): boolean {
  return head.failed !== true && limitOfPart(head) === undefined
}

function numberOf(json: JsonObject, key: string): number {
  const value = json[key]
  return typeof value === 'number' ? value : 0
}
