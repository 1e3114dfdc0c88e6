/** What a run does, as the command line says: its input, its requests, its pace. */

import type { Fallback } from '../answer/send.ts'
import type { AnswerSchema } from '../answer/schema.ts'
import type { CommandContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import { cannotBeCombined } from '../fields/problem.ts'
import type { PromptText } from '../fields/prompt-file.ts'
import { isTable } from '../input/records.ts'
import { limitHeapGrowth } from '../io/process/heap-tuning.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { Forecast } from './forecast.ts'
import { findIdKey } from './input/custom-id.ts'
import type { BatchInputFormat } from './input/format.ts'
import { type InputOptions, openInput } from './input/input.ts'
import { modelSetting, type RunSettings } from './answers/line.ts'
import { type OutputFormat, severalModels } from './output/printer.ts'
import type { Pace } from './sending/pool.ts'
import { type BuilderOptions, createRequestBuilder } from './requests/request-builder.ts'
import { sha256 } from './sha256.ts'

export type JobContext = Pick<CommandContext, 'argv' | 'io' | 'secrets' | 'settings' | 'notices' | 'client' | 'catalog'>

export interface Job {
  /** The path of the input; `undefined` or `-` for standard input. */
  readonly path: string | undefined
  readonly input: Omit<InputOptions, 'spool'>
  readonly requests: Omit<BuilderOptions, 'models' | 'format' | 'where' | 'baseUrl' | 'idKey' | 'notify'>
  /** Texts that the settings have hashes of. */
  readonly prompt: PromptText | undefined
  readonly schema: { readonly json: JsonObject; readonly answer: AnswerSchema } | undefined
  /** The model of rows without one, or those that each row is asked of. */
  readonly models: readonly [Json, ...Json[]]
  /** Whether nobody is asked before a run of several models. */
  readonly isConfirmed: boolean
  readonly output: OutputFormat
  readonly skipsInvalid: boolean
  readonly pace: Pace
  /** What all runs with the same output may spend, in dollars. */
  readonly maxCost: number | undefined
  /** The share of the answers, from 0 to 1, that must be the expected ones (default: 0). */
  readonly passMark: number | undefined
  readonly fallback: Fallback
  /** Whether answers that are empty or cut off at the token limit are results. */
  readonly allowsCut: boolean
  /** How often an answer is sent back with what does not match the schema. */
  readonly repairs: number | undefined
  readonly progress: 'jsonl' | undefined
  /** What becomes of recorded answers. The first three are exclusive. */
  readonly recorded: {
    /** Whether all rows are asked again. */
    readonly restarts: boolean
    /** Whether nothing is sent. */
    readonly isOffline: boolean
    /** Whether rows may be sent with settings that no run had. */
    readonly takesNewSettings: boolean
    /** Whether rows are sent again whose answer is blank, or calls a tool that was not offered. */
    readonly retriesEmpty: boolean
    /** Whether equal requests are sent once. */
    readonly dedupes: boolean
  }
}

/** A job, its input, which is closed at the end, and what makes requests of its records. */
export type OpenJob = Readonly<Awaited<ReturnType<typeof openJob>>>

/** @param spool As for `openInput`. @throws as `openInput` and `createRequestBuilder`. */
export async function openJob(job: Job, { io, notices, secrets, settings, catalog }: JobContext, spool?: string) {
  limitHeapGrowth()
  const input = await openInput(job.path, { ...job.input, spool }, io)
  try {
    const { format, where } = input
    checkKept(job.output, format)
    if (job.models.length > 1 && (format === 'openai' || format === 'anthropic')) {
      throw cannotBeCombined([severalModels, `--input-format ${format}`])
    }
    /** The key of the records that has their ids. */
    const idKey = await findIdKey(input)
    const notify = (text: string): Promise<void> => notices.info(text)
    const baseUrl = baseUrlOf(settings)
    const usesAliases = job.requests.model === undefined && !job.recorded.isOffline
    const models = usesAliases ? await catalog.availableModels() : []
    const builder = createRequestBuilder({ ...job.requests, models, format, where, baseUrl, idKey, notify })
    /** The forecast of the rows that are checked. */
    const forecast = new Forecast()
    /** What is counted. */
    const unit = job.models.length > 1 ? 'request' : 'row'
    return { job, input, idKey, builder, forecast, secrets, unit, [Symbol.dispose]: () => input.close() }
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

/** Whose answers are recorded: the sandbox has no URL, which is another one each time. */
export function baseUrlOf({ cacheKey, service = '' }: Pick<JobContext['settings'], 'cacheKey' | 'service'>): string {
  return cacheKey ?? service
}

/** What all requests of a job depend on, by the names in messages: without what makes no other request, as in `RowRequest.hash`. */
export function settingsOf({ job, input }: OpenJob, baseUrl: string): RunSettings {
  const { models, prompt, schema, requests } = job
  const { defaults, api, system, messages, embeddingModel } = requests
  const { max_tokens: _limit, max_completion_tokens: _otherLimit, ...rest } = defaults
  const { stream: _stream, stream_options: _options, ...fields } = rest
  // A schema is a response format, and named as what it is.
  if (schema) delete fields.response_format
  const values = {
    'the base URL': baseUrl,
    'the API': api,
    'the template': prompt?.text,
    'the schema': schema?.json,
    system,
    messages,
    '--var': prompt?.vars?.toSorted(),
    embedding_model: input.format === 'openai' ? embeddingModel : undefined,
    ...fields,
  }
  const hashOf = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 16)
  const hashes = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, hashOf(value)]]))
  return { [modelSetting]: models.map(hashOf).toSorted().join(), ...Object.fromEntries(hashes) }
}
