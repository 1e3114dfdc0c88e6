/** Runs of `syn batch` without a service: each line of the input is a request with one answer. */

import { createHash } from 'node:crypto'
import { createJournal, type Journal } from '../../src/batch/journal/journal.ts'
import { checkBatchFiles, stateOfFiles } from '../../src/batch/journal/files.ts'
import type { Manifest } from '../../src/batch/journal/manifest.ts'
import { writeOutput } from '../../src/batch/output/output.ts'
import type { OutputFormat, OutputRow } from '../../src/batch/output/printer.ts'
import { resumeJournal, stateOf } from '../../src/batch/journal/resume.ts'
import { RowHashes } from '../../src/batch/journal/row-hashes.ts'
import type { RowResult } from '../../src/batch/row.ts'
import { testNow } from './clock.ts'

export interface BatchRunOptions {
  template?: string
  manifest?: Partial<Manifest>
  format?: OutputFormat
  /** Lines whose request fails. */
  failing?: ReadonlySet<string>
  /** Lines that are invalid. */
  invalid?: ReadonlySet<string>
  /** Where the rows that are sent stand in the order of their results (default: the order of the input). */
  order?: (position: number) => number
  /** The run is killed after so many results. */
  killAfter?: number
  restart?: boolean
}

export interface BatchRun {
  /** The lines that were sent. */
  sent: string[]
  notices: readonly string[]
  warnings: readonly string[]
  /** `undefined` if it was killed, or had nothing to do. */
  failed: number | undefined
}

export function manifestOf(lines: readonly string[], { template = '', manifest = {} }: BatchRunOptions = {}): Manifest {
  return {
    syn: '1.2.3',
    started: new Date(testNow()).toISOString(),
    base_url: 'https://api.example',
    api: 'chat',
    fields: { temperature: 'o' },
    template: template === '' ? null : hashOf(template),
    schema: null,
    model: { requested: 'syn:large:text', stands_for: 'hf:large' },
    output: { format: 'jsonl', keep: [] },
    jobs: 4,
    input: { path: 'in.txt', size: lines.join('\n').length, hash: hashOf(lines.join('\n')), rows: lines.length },
    ...manifest,
  }
}

/** Does what the command does, from the check of `--output` to the whole output. */
export async function runBatch(
  path: string,
  lines: readonly string[],
  options: BatchRunOptions = {},
): Promise<BatchRun> {
  const files = await checkBatchFiles(path)
  const before = stateOfFiles(files)
  const run: BatchRun = { sent: [], notices: [], warnings: [], failed: undefined }
  const state = options.restart ? 'new' : stateOf(files)
  if (state === 'complete') return run
  const manifest = manifestOf(lines, options)
  let journal: Journal
  if (state === 'new') journal = createJournal(files, manifest, lines.length)
  else {
    const hashes = new RowHashes()
    for (const line of lines) hashes.add(options.invalid?.has(line) ? undefined : requestHash(line, options))
    const resumed = await resumeJournal(files, manifest, hashes)
    journal = resumed.journal
    run.notices = resumed.notices
    run.warnings = resumed.warnings
  }
  const waiting = lines.flatMap((line, row) =>
    journal.offsetOf(row) !== undefined || options.invalid?.has(line) ? [] : [row],
  )
  const { order = (position) => position, killAfter = Infinity } = options
  for (const row of waiting.map((one, position) => ({ one, at: order(position) })).sort((a, b) => a.at - b.at)) {
    if (run.sent.length >= killAfter) break
    const line = lines[row.one] ?? ''
    run.sent.push(line)
    const request = {
      record: { line: row.one + 1, raw: line, value: line },
      hash: requestHash(line, options),
      limit: Infinity,
      body: { model: line.startsWith('own') ? 'hf:own' : 'syn:large:text' },
    }
    journal.append(row.one, request, resultOf(line, options), 8)
  }
  if (killAfter === Infinity) {
    await journal.end('complete', 0, testNow())
    const { format = { type: 'jsonl' } } = options
    run.failed = await writeOutput(files, journal, outputRows(lines, options), { format, input: {}, before })
  }
  await journal.close()
  return run
}

/** The rows of the input, in blocks. */
export async function* outputRows(
  lines: readonly string[],
  { invalid }: BatchRunOptions = {},
): AsyncGenerator<OutputRow[], void, undefined> {
  for (let start = 0; start < lines.length; start += 3) {
    yield await Promise.resolve(
      lines.slice(start, start + 3).map((raw, at) => ({
        record: {
          line: start + at + 1,
          raw,
          value: raw.startsWith('{') ? (JSON.parse(raw) as { [key: string]: string }) : raw,
        },
        customId: `line-${start + at + 1}`,
        ...(invalid?.has(raw) && { error: { code: 'invalid_request', message: `not valid: ${raw}` } }),
      })),
    )
  }
}

export function answerBody(text: string): { choices: { index: number; message: { role: string; content: string } }[] } {
  return { choices: [{ index: 0, message: { role: 'assistant', content: text } }] }
}

function resultOf(line: string, { failing }: BatchRunOptions): RowResult {
  const usage = { promptTokens: 2, completionTokens: 3 }
  const others = { attempts: 1, model: 'hf:large', isCutOff: false }
  if (failing?.has(line)) return { ...others, response: null, error: { code: 'http_500', message: `failed: ${line}` } }
  return { ...others, usage, response: { status_code: 200, body: answerBody(`answer to ${line}`) }, error: null }
}

export function requestHash(line: string, { template = '' }: BatchRunOptions = {}): string {
  return hashOf(template + line).slice(0, 32)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
