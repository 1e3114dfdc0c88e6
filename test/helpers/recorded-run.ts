/** A run of `syn batch` with a store of answers: what the same command sends, and whether its output is that of a clean run. */

import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { BatchProgram } from './batch-program.ts'
import type { BatchService } from './batch-service.ts'
import { emptyFolder, type Outcome } from './run-syn.ts'

/** Rows of a CSV file with the columns `id` and `text`: two have quotes or a line break. */
export const fourRows = ['1,a', '2,"b ""b"""', '3,c', '4,"d\nd"'] as const

/** What is done to recorded answers; a clean run has none. */
const recordedFlags = new Set(['--restart', '--new-settings', '--offline'])

export class RecordedRun extends BatchProgram {
  readonly out: string
  readonly store: string
  /** Options of the output. */
  readonly #format: readonly string[]
  readonly #service: BatchService

  constructor(service: BatchService, [name, ...format]: readonly string[] = ['out.jsonl']) {
    super(service)
    this.#service = service
    this.out = this.path(name ?? '')
    this.store = `${this.out}.answers`
    this.#format = format
    this.table(fourRows)
  }

  table(rows: readonly string[]): void {
    this.write(['id,text', ...rows])
  }

  /** The command line, with other options and another output. */
  argvOf(argv: readonly string[], out = this.out): string[] {
    const own = argv.some((one) => one === '--format' || one === '--keep') ? [] : this.#format
    const template = argv.includes('-t') ? [] : ['-t', 'S: {{text}}']
    const model = argv.includes('-m') ? [] : ['-m', 'hf:test/one']
    return [this.input, '--input-format', 'csv', ...template, ...model, '-o', out, ...own, ...argv]
  }

  /** Counts from 0. */
  async ask(...argv: readonly string[]): Promise<Outcome & { sent: number }> {
    await this.#service.resetCounts()
    const outcome = await this.run(this.argvOf(argv))
    const { statuses } = await this.#service.counts()
    return { ...outcome, sent: Object.values(statuses).reduce((sum, count) => sum + count, 0) }
  }

  /** The output; `undefined` without one. */
  text(): string | undefined {
    return existsSync(this.out) ? readFileSync(this.out, 'utf8') : undefined
  }

  /** The output of a run without a store. */
  async cleanText(...argv: readonly string[]): Promise<string> {
    const own = argv.filter((one) => !recordedFlags.has(one))
    const path = join(emptyFolder(), basename(this.out))
    await this.run(this.argvOf(own, path))
    return readFileSync(path, 'utf8')
  }

  /** The lines of the store, with their ends. */
  lines(): string[] {
    return readFileSync(this.store, 'utf8').split(/(?<=\n)/)
  }

  /** The number of records in the store. */
  records(): number {
    return this.lines().filter(isRecord).length
  }

  /** Changes a line of the store. */
  edit(at: number, change: (line: string) => string): void {
    const lines = this.lines()
    writeFileSync(this.store, lines.with(at, change(lines[at] ?? '')).join(''))
  }

  /** Leaves the files of a run killed after so many records of the last run, and so many bytes: it has no output yet. */
  killed(records: number, bytes = 0): void {
    const lines = this.lines()
    const run = lines.findLastIndex((line) => line.includes('"run":{'))
    const kept = lines.slice(0, run + 1 + records).join('')
    truncateSync(this.store, Buffer.byteLength(kept) + bytes)
    rmSync(this.out, { force: true })
  }
}

export function isRecord(line: string): boolean {
  return /^\{"sum":"[^"]*","hash":/.test(line)
}
