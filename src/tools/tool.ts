/** What a model may call, and what every call has in common: the check of its arguments, its time limit, and its result. */

import type { CommandContext } from '../context.ts'
import { errorMessage, FailedError } from '../errors.ts'
import { loadSchemaCompiler, type SchemaValidator } from '../fields/json-schema.ts'
import type { JsonObject } from '../io/json/json.ts'
import { pluralize } from '../io/text/plural.ts'
import { TimeLimitError, withinTimeLimit } from '../io/time/time-limit.ts'
import { startTimer } from '../io/time/timer.ts'

/** `text` is masked and cut, not sanitized. */
export interface ToolResult {
  readonly text: string
  readonly isError: boolean
  /** What the call threw. */
  readonly error?: unknown
}

export interface Tool {
  /** As sent to the model: `[A-Za-z0-9_-]`, at most 64. */
  readonly name: string
  /** As the user names and sees it: `weather`, `files/read_file`, `search`. */
  readonly label: string
  readonly description: string | undefined
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject
  /** What a server claims: shown, never trusted. */
  readonly claimsReadOnly: boolean
  /** Why the arguments do not fit `parameters`; `undefined` if they do. `call` checks this, too. */
  problem(args: JsonObject, signal: AbortSignal): Promise<string | undefined>
  /** A failed call (status, time limit, arguments that do not fit) is a result. @throws the reason of the signal. */
  call(args: JsonObject, signal: AbortSignal): Promise<ToolResult>
}

/** What tools need of a run. */
export type ToolsContext = Pick<CommandContext, 'io' | 'secrets' | 'notices' | 'client'>

/** What a call gave: `text` is cut if it is too long, `failure` is appended to it. */
export interface CallOutcome {
  readonly text: string
  readonly isError?: boolean
  readonly failure?: string
}

export interface ToolSource extends Pick<Tool, 'name' | 'label' | 'description' | 'parameters'> {
  readonly claimsReadOnly?: boolean
  /** In seconds, of each call. */
  readonly timeout: number
  /** Of `parameters` (default: compiled at the first call, and if that fails, the server checks alone). */
  readonly validate?: SchemaValidator
  /** @param stop Aborts when the run is stopped, and when the time is over. The model gets the message of what it throws. */
  run(args: JsonObject, stop: AbortSignal): Promise<CallOutcome>
}

/** In characters, of a result: the most that a model is sent of it. */
export const maxLength = 50_000

export function createTool({ timeout, run, ...source }: ToolSource, { secrets }: Pick<ToolsContext, 'secrets'>): Tool {
  let { validate } = source
  const problem: Tool['problem'] = async (args, signal) => {
    validate ??= await loadValidator(source.parameters, signal).catch((): SchemaValidator => () => undefined)
    try {
      return (await withinTimeLimit(() => validate?.(args), signal))?.text
    } catch (error) {
      if (error instanceof TimeLimitError) return `they cannot be checked: ${error.message}`
      throw error
    }
  }
  const resultOf = (text: string, isError: boolean, end = ''): ToolResult => {
    const masked = secrets.mask(text)
    const isCut = Math.max(text.length, masked.length) > maxLength
    // Neither a character nor a key is cut in two.
    const shown = isCut ? secrets.maskCut(masked.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')) : masked
    const note = isCut ? `\n[the output is cut off here, after ${maxLength} characters]\n` : ''
    return { text: shown + note + secrets.mask(end), isError }
  }
  const call: Tool['call'] = async (args, signal) => {
    const found = await problem(args, signal)
    if (found !== undefined) return resultOf(`the arguments do not fit: ${found}`, true)
    const tooLong = new AbortController()
    const timer = startTimer(timeout * 1000, () => tooLong.abort(timeoutError(timeout)))
    const stop = AbortSignal.any([signal, tooLong.signal])
    try {
      const { text, isError = false, failure = '' } = await run(args, stop)
      signal.throwIfAborted()
      return resultOf(text, isError || failure !== '', failure)
    } catch (error) {
      signal.throwIfAborted()
      const cause: unknown = stop.aborted ? stop.reason : error
      return { ...resultOf(errorMessage(cause), true), error: cause }
    } finally {
      clearTimeout(timer)
    }
  }
  return { claimsReadOnly: false, ...source, problem, call }
}

/** For whatever is given up after its time. @param timeout In seconds. */
export function timeoutError(timeout: number): FailedError {
  return new FailedError(`no result within ${pluralize(timeout, 'second')}`)
}

/** Compiles a schema of arguments. @throws InvalidSchemaError; TimeLimitError if that takes too long. */
export async function loadValidator(parameters: JsonObject, signal: AbortSignal): Promise<SchemaValidator> {
  return withinTimeLimit(await loadSchemaCompiler(parameters), signal)
}
