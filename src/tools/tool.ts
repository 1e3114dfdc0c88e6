/** What a model may call, and what every call has in common: the check of its arguments, its time limit, and its result. */

import type { CommandContext } from '../context.ts'
import { errorMessage, FailedError } from '../errors.ts'
import { InvalidSchemaError, loadSchemaCompiler } from '../fields/json-schema.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Secrets } from '../io/secrets/secrets.ts'
import { pluralize } from '../io/text/plural.ts'
import { TimeLimitError, withinTimeLimit } from '../io/time/time-limit.ts'
import { startTimer } from '../io/time/timer.ts'

/** `text` is masked and cut, not sanitized. */
export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

export interface Tool {
  /** As sent to the model: `[A-Za-z0-9_-]`, at most 64. */
  readonly name: string
  /** As the user names and sees it: `weather`, `files/read_file`, `search`. From a server, it may contain anything. */
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
  readonly timeout?: number
  readonly check: Tool['problem']
  /** @param stop Aborts when the run is stopped, and when the time is over. The model gets the message of what it throws. */
  run(args: JsonObject, stop: AbortSignal): Promise<CallOutcome>
}

/** In characters, of a result: the most that a model is sent of it. */
export const maxLength = 50_000

/** In seconds. */
export const defaultTimeout = 60

export function createTool(source: ToolSource, secrets: Secrets): Tool {
  const { name, label, description, parameters, claimsReadOnly = false, timeout = Infinity, check } = source
  return {
    name,
    label,
    description,
    parameters,
    claimsReadOnly,
    problem: check,
    async call(args, signal) {
      const problem = await check(args, signal)
      if (problem !== undefined) return failed(`the arguments do not fit: ${problem}`, secrets)
      const tooLong = new AbortController()
      const timer = startTimer(timeout * 1000, () => tooLong.abort(timeoutError(timeout)))
      const stop = AbortSignal.any([signal, tooLong.signal])
      try {
        const { text, isError = false, failure = '' } = await source.run(args, stop)
        signal.throwIfAborted()
        return { text: resultText(text, secrets) + secrets.mask(failure), isError: isError || failure !== '' }
      } catch (error) {
        signal.throwIfAborted()
        return failed(errorMessage(stop.aborted ? stop.reason : error), secrets)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** For whatever is given up after its time. @param timeout In seconds. */
export function timeoutError(timeout: number): FailedError {
  return new FailedError(`no result within ${pluralize(timeout, 'second')}`)
}

/**
 * Compiles the schema of a tool's arguments.
 * @throws InvalidSchemaError; TimeLimitError if that takes too long.
 */
export async function loadArgumentCheck(parameters: JsonObject, signal: AbortSignal): Promise<Tool['problem']> {
  const compile = await loadSchemaCompiler(parameters)
  const validate = await withinTimeLimit(compile, signal)
  return async (args, stop) => {
    try {
      return (await withinTimeLimit(() => validate(args), stop))?.text
    } catch (error) {
      if (error instanceof TimeLimitError) return `they cannot be checked: ${error.message}`
      throw error
    }
  }
}

/** As `loadArgumentCheck`, at the first call. A schema that is not accepted checks nothing: the server checks, too. */
export function checkWhenCalled(parameters: JsonObject): Tool['problem'] {
  let check: Tool['problem'] | undefined
  return async (args, signal) => {
    check ??= await loadArgumentCheck(parameters, signal).catch((error: unknown) => {
      if (error instanceof InvalidSchemaError || error instanceof TimeLimitError)
        return () => Promise.resolve(undefined)
      throw error
    })
    return check(args, signal)
  }
}

function failed(text: string, secrets: Secrets): ToolResult {
  return { text: resultText(text, secrets), isError: true }
}

function resultText(text: string, secrets: Secrets): string {
  const masked = secrets.mask(text)
  if (masked.length <= maxLength) return masked
  // Neither a character nor a key is cut in two.
  const start = masked.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')
  return `${secrets.maskCut(start)}\n[the output is cut off here, after ${maxLength} characters]\n`
}
