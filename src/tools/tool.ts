/** What a model may call, and what every call has in common: the check of its arguments, its time limit, and its result. */

import type { ToolDefinition } from '../api/dialects.ts'
import type { Image } from '../api/image.ts'
import type { CommandContext } from '../context.ts'
import { errorMessage } from '../errors.ts'
import { loadSchemaCompiler, type SchemaValidator } from '../fields/json-schema.ts'
import type { JsonObject } from '../io/json/json.ts'
import { TimeLimitError, withinSeconds, withinTimeLimit } from '../io/time/time-limit.ts'

/** Masked and cut, not sanitized. */
export interface ToolResult {
  readonly text: string
  readonly isError: boolean
  /** `shown` is what people see of it. */
  readonly images?: readonly { readonly url: Image; readonly shown: string }[] | undefined
  /** What a person sees of a call that failed. */
  readonly errorLine?: string | undefined
  /** What the call threw. */
  readonly error?: unknown
}

export interface Tool extends ToolDefinition, Pick<ToolSource, 'label' | 'claimsReadOnly' | 'change'> {
  /** Why it runs without a question: `--allow`, or the answer "always". In no file, and only until the run ends. */
  approvedBy?: 'option' | 'user' | undefined
  /** Whether its server has dropped it. */
  isGone?: boolean
  /** Why the arguments do not fit `parameters`; `undefined` if they do: only then they may be called with. */
  problem(args: JsonObject, signal: AbortSignal): Promise<string | undefined>
  /** A failed call (status, time limit) is a result. @throws the reason of the signal. */
  call(args: JsonObject, signal: AbortSignal): Promise<ToolResult>
}

/** What tools need of a run. */
export type ToolsContext = Pick<CommandContext, 'io' | 'secrets' | 'notices' | 'client'>

/** What a call gave: `text` is cut if it is too long, and the `failure` of a call that failed is appended to it. */
export interface CallOutcome extends Pick<ToolResult, 'text' | 'errorLine' | 'images'> {
  readonly failure?: string | undefined
}

export interface ToolSource extends ToolDefinition {
  /** The name that the user types and sees: `weather`, `files/read_file`, `search`. */
  readonly label: string
  /** What a server claims: shown, never trusted. */
  readonly claimsReadOnly?: boolean
  /** What became of it after its server had started: the user allowed another tool, or none. */
  readonly change?: string | undefined
  /** In seconds, of each call. */
  readonly timeout: number
  /** Checks arguments (default: compiled of `parameters` at the first call, and if that fails, the server checks alone). */
  readonly validate?: SchemaValidator
  /** @param stop Aborts when the run is stopped, and when the time is over. The model gets the message of what it throws. */
  run(args: JsonObject, stop: AbortSignal): Promise<CallOutcome>
}

/** In characters, of a result: the most that a model is sent of it. */
export const maxLength = 50_000

/** In characters: the most that an error line has of what a tool said. */
export const maxErrorLine = 300

export function createTool({ timeout, run, ...source }: ToolSource, { secrets, notices }: ToolsContext): Tool {
  let { validate } = source
  const problem: Tool['problem'] = async (args, signal) => {
    validate ??= await loadValidator(source.parameters, signal).catch((): SchemaValidator => () => undefined)
    try {
      return await withinTimeLimit(() => validate?.(args), signal)
    } catch (error) {
      if (error instanceof TimeLimitError) return `they cannot be checked: ${error.message}`
      throw error
    }
  }
  const resultOf = ({ text, failure, errorLine, images }: CallOutcome): ToolResult => {
    const masked = secrets.mask(text)
    const isCut = Math.max(text.length, masked.length) > maxLength
    // No character is cut in two.
    const shown = isCut ? masked.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') : masked
    const note = isCut ? `\n[the output is cut off here, after ${maxLength} characters]\n` : ''
    const whole = shown + note + secrets.mask(failure ?? '')
    if (failure === undefined) return { text: whole, isError: false, images }
    // An error of a server is a message, and what matters comes first.
    return {
      text: whole,
      isError: true,
      images,
      errorLine: errorLine ?? /\S.*/.exec(whole)?.[0].slice(0, maxErrorLine),
    }
  }
  const call: Tool['call'] = async (args, signal) => {
    try {
      const outcome = await withinSeconds(timeout, signal, (stop) => run(args, stop))
      signal.throwIfAborted()
      const result = resultOf(outcome)
      if (result.isError) await notices.debug(() => `${source.label} failed: ${result.text.trim()}`)
      return result
    } catch (error) {
      signal.throwIfAborted()
      const text = errorMessage(error)
      return { ...resultOf({ text, failure: '', errorLine: secrets.mask(text) }), error }
    }
  }
  return { ...source, problem, call }
}

/** Compiles a schema of arguments. @throws InvalidSchemaError; TimeLimitError if that takes too long. */
export async function loadValidator(parameters: JsonObject, signal: AbortSignal): Promise<SchemaValidator> {
  return withinTimeLimit(await loadSchemaCompiler(parameters), signal)
}
