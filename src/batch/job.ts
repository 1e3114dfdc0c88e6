/** What a run does, as the command line says: its input, its requests, its pace. */

import type { AnswerSchema } from '../answer/schema.ts'
import type { CommandContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { PromptText } from '../fields/prompt-file.ts'
import { isTable } from '../input/records.ts'
import { boundGarbage } from '../io/process/garbage.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import type { Secrets } from '../io/secrets.ts'
import { findIdKey, type IdKey } from './input/custom-id.ts'
import type { BatchInputFormat } from './input/format.ts'
import { type BatchInput, type InputOptions, openInput } from './input/input.ts'
import type { InputFile } from './journal/files.ts'
import type { Manifest } from './journal/manifest.ts'
import { keptNames, type OutputFormat } from './output/printer.ts'
import type { Pace } from './sending/pool.ts'
import { type BuilderOptions, createRequestBuilder, type RequestBuilder } from './requests/request-builder.ts'
import { sha256 } from './sha256.ts'

export type JobContext = Pick<CommandContext, 'argv' | 'io' | 'secrets' | 'settings' | 'notices' | 'client' | 'catalog'>

export interface Job {
  /** The path of the input; `undefined` or `-` for standard input. */
  readonly path: string | undefined
  /** Other files that the command line names. */
  readonly files: readonly InputFile[]
  readonly input: Omit<InputOptions, 'spool'>
  readonly requests: Omit<BuilderOptions, 'format' | 'where' | 'idKey' | 'notify'>
  /** Texts that the manifest has hashes of. */
  readonly prompt: PromptText | undefined
  readonly schema: { readonly json: JsonObject; readonly answer: AnswerSchema } | undefined
  /** The model of rows without one. */
  readonly model: Json
  readonly output: OutputFormat
  readonly skipsInvalid: boolean
  readonly pace: Pace
  readonly fallback: boolean
  /** Whether answers that are empty or cut off at the token limit are results. */
  readonly allowsCut: boolean
  readonly progress: 'jsonl' | undefined
}

/** A job, its input, which is closed at the end, and what makes requests of its records. */
export interface OpenJob extends Disposable {
  readonly job: Job
  readonly input: BatchInput
  /** The key of the records that has their ids. */
  readonly idKey: IdKey
  readonly builder: RequestBuilder
  readonly secrets: Secrets
}

/** @param spool As for `openInput`. @throws as `openInput` and `createRequestBuilder`. */
export async function openJob(job: Job, { io, notices, secrets }: JobContext, spool?: string): Promise<OpenJob> {
  boundGarbage()
  const input = await openInput(job.path, { ...job.input, spool }, io)
  try {
    const { format, where } = input
    checkKept(job.output, format)
    const idKey = await findIdKey(input)
    const notify = (text: string): Promise<void> => notices.info(text)
    const builder = createRequestBuilder({ ...job.requests, format, where, idKey, notify })
    return { job, input, idKey, builder, secrets, [Symbol.dispose]: () => input.close() }
  } catch (error) {
    input.close()
    throw error
  }
}

/** @throws UsageError for all columns in a table of records that may have other keys each. */
function checkKept({ type, columns }: OutputFormat, format: BatchInputFormat): void {
  if (!isTable(type) || !columns?.keepsAll || isTable(format) || format === 'lines' || format === 'files') return
  throw new UsageError(`--keep '*' needs --format jsonl for rows of JSON, whose keys may differ`, {
    hint: 'or name the columns to keep',
  })
}

export function manifestOf(
  { job, input }: OpenJob,
  {
    rows,
    replaces,
    ...start
  }: Pick<Manifest, 'syn' | 'started' | 'base_url' | 'replaces' | 'jobs'> & { readonly rows: number },
): Manifest {
  const { defaults, api, system, messages, embeddingModel } = job.requests
  const { max_tokens: _limit, max_completion_tokens: _otherLimit, ...others } = defaults
  // A schema is a response format, and named as what it is.
  if (job.schema) delete others.response_format
  const fields = Object.entries({
    system,
    messages,
    '--var': job.prompt?.vars?.toSorted(),
    embedding_model: input.format === 'openai' ? embeddingModel : undefined,
    ...others,
  })
  const { model, prompt, output } = job
  const { size = 0, hash = '' } = input.digest() ?? {}
  const requested = typeof model === 'string' ? model : JSON.stringify(model)
  return {
    ...start,
    api,
    fields: Object.fromEntries(
      fields.flatMap(([name, value]) =>
        value === undefined ? [] : [[name, sha256(JSON.stringify(value)).slice(0, 16)]],
      ),
    ),
    template: prompt ? sha256(prompt.text) : null,
    schema: job.schema ? sha256(JSON.stringify(job.schema.json)) : null,
    model: { requested, stands_for: requested },
    output: { format: output.type, keep: keptNames(output) },
    allows_cut: job.allowsCut || undefined,
    replaces,
    columns: isTable(input.format) ? job.input.template?.columns : undefined,
    input: { path: input.where, size, hash, rows },
  }
}
