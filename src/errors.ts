/** Every way a run can fail, and the one function that turns a failure into a message and an exit status. */

import { getSystemErrorMap } from 'node:util'

/** Exit statuses, documented in syn(1). Signals add 128. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unauthorized: 3,
  notFound: 4,
  quota: 5,
  network: 6,
  cutShort: 7,
  threshold: 8,
  brokenPipe: 141,
} as const

/** What to do about a failure: a text, a code that `hint-words.ts` words for the reader, or several of these. */
export type Hint = string | HintCode | readonly Hint[]

/** What the chat words otherwise, or what depends on the account that the command line names. */
export type HintCode =
  | { readonly code: 'check base URL' | 'count tokens' | 'list models' | 'allow cut' }
  /** A command whose effect depends on the account, with its arguments: `login`. */
  | { readonly code: 'command'; readonly command: string }
  /** `isOnlyWay`: whether nothing else helps. */
  | { readonly code: 'earlier images'; readonly isOnlyWay: boolean }
  /** How the user sets fields of the request. */
  | { readonly code: 'fields'; readonly names: readonly string[] }
  /** A request of more bytes than the service is known to read. `isImages`: whether images are most of it. */
  | { readonly code: 'large request'; readonly size: number; readonly limit: number; readonly isImages: boolean }
  | { readonly code: 'other effort'; readonly effort: string }
  | { readonly code: 'set variable'; readonly name: string }
  | { readonly code: 'use model'; readonly model: string; readonly hasFallback: boolean }
  | { readonly code: 'sentence'; readonly texts: readonly string[]; readonly parts: readonly Hint[] }

/** A sentence with codes in it. */
export function advice(texts: readonly string[], ...parts: readonly Hint[]): Hint {
  return { code: 'sentence', texts, parts }
}

/** A command in a hint, to be completed by the account that the command line names. */
export function syn(command: string): Hint {
  return { code: 'command', command }
}

/** A failure reported to the user: `message` says what happened, `hint` what to do about it. */
export class SynError extends Error {
  readonly code: number = exitCodes.failed
  readonly hint: Hint | undefined

  constructor(message: string, options: { hint?: Hint | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = new.target.name
    this.hint = options.hint
  }
}

/** A copy of the error with another hint. */
export function withHint<E extends SynError>(error: E, hint: Hint | undefined): E {
  return copyWith(error, { hint: { value: hint, enumerable: true } })
}

/** A copy of the error with another message. */
export function withMessage<E extends SynError>(error: E, message: string): E {
  return copyWith(error, { message: { value: message } })
}

/** Errors are never changed: what users read must not depend on the order of calls. */
function copyWith<E extends SynError>(error: E, changed: PropertyDescriptorMap): E {
  const copy = Object.create(Object.getPrototypeOf(error) as object) as E
  return Object.defineProperties(copy, {
    ...Object.getOwnPropertyDescriptors(error),
    // Newer versions of V8 read the stack only of objects that were constructed as errors.
    stack: { value: error.stack, configurable: true, writable: true },
    ...changed,
  })
}

/** A copy of the error with a hint added to its own. */
export function withAddedHint<E extends SynError>(error: E, hint: Hint): E {
  return withHint(error, error.hint === undefined ? hint : [error.hint, hint])
}

/** The command failed: a disk error, nothing to extract, an answer that does not match its schema. */
export class FailedError extends SynError {}

/** The command line, a document or a setting is invalid. Thrown before any request is sent. */
export class UsageError extends SynError {
  override readonly code = exitCodes.usage
}

/** There is no API key, or the stored one is for another base URL. Sending one unencrypted is a `UsageError`. */
export class MissingKeyError extends SynError {
  override readonly code = exitCodes.unauthorized
}

/** The quota is used up, as the service said before it refused a request. */
export class QuotaError extends SynError {
  override readonly code = exitCodes.quota
}

/** A threshold set by a flag was crossed. */
export class ThresholdError extends SynError {
  override readonly code = exitCodes.threshold
}

/** The parts of a reply with a status other than 2xx. `retryAfter` is in milliseconds. */
export interface ServiceFailure {
  status: number
  /** Method and URL. */
  endpoint: string
  /** The words of the reply, and its status. */
  reply?: string
  retryAfter?: number | undefined
  hint?: Hint | undefined
  missing?: NotFoundCause | undefined
  /** Whether the same request would fail again, although the status says otherwise. */
  isPermanent?: boolean
  /** Whether quota or credit is used up, in the words of the service if the status does not say so. */
  isUsedUp?: boolean
  /** Whether a shorter request may be taken. */
  isTooLong?: boolean
  /** Whether the body is a web page, which comes from a server in front of the service. */
  isWebPage?: boolean
}

/**
 * What the service does not have, in its own words; `unspecified` if they say no more than the status, `not for this request` if it has the model,
 * but not for this request.
 */
export type NotFoundCause = 'endpoint' | 'model' | 'unspecified' | 'not for this request'

/** The service returned a status other than 2xx. */
export class StatusError extends SynError {
  override readonly code: number
  readonly status: number
  readonly endpoint: string
  readonly reply: string
  readonly retryAfter: number | undefined
  readonly missing: NotFoundCause | undefined
  readonly isPermanent: boolean
  readonly isUsedUp: boolean
  readonly isWebPage: boolean
  readonly isTooLong: boolean

  constructor(message: string, failure: ServiceFailure) {
    super(message, { hint: failure.hint })
    this.status = failure.status
    this.endpoint = failure.endpoint
    this.reply = failure.reply ?? message
    this.retryAfter = failure.retryAfter
    this.missing = failure.missing
    this.isUsedUp = failure.isUsedUp ?? failure.status === 402
    this.isPermanent = failure.isPermanent ?? false
    this.isTooLong = failure.isTooLong ?? false
    this.isWebPage = failure.isWebPage ?? false
    if (this.missing === 'endpoint' || this.missing === 'model') this.code = exitCodes.notFound
    else if (this.isUsedUp) this.code = exitCodes.quota
    else this.code = this.isWebPage && this.status === 403 ? exitCodes.failed : exitCodeOfStatus(failure.status)
  }
}

/** The hint if another server than the service seems to have replied. */
export const checkBaseUrl: Hint = { code: 'check base URL' }

/** No connection, a timeout, a refused redirect, or a reply that cannot be decoded. */
export class NetworkError extends SynError {
  override readonly code = exitCodes.network
  /** Whether a retry may help. */
  readonly retryable: boolean

  constructor(message: string, options: { hint?: Hint | undefined; cause?: unknown; retryable?: boolean } = {}) {
    super(message, options)
    this.retryable = options.retryable ?? false
  }
}

/** The service reported an error in a reply with status 200, such as an event of a stream. */
export class ReportedError extends NetworkError {
  /** The JSON that reports it, or its text. */
  readonly body: string

  constructor(message: string, body: string, retryable: boolean) {
    super(message, { retryable })
    this.body = body
  }
}

/** No connection or no data in time. The service may have handled the request. */
export class TimeoutError extends NetworkError {}

/** The answer ended early, after part of it was delivered. */
export class CutShortError extends SynError {
  override readonly code = exitCodes.cutShort
}

/** A defect of syn. */
export class InternalError extends SynError {
  constructor(cause: unknown) {
    const hint = 'this is a bug in syn; run the command again with --debug for a stack trace'
    super(`internal error: ${errorMessage(cause)}`, { hint, cause })
  }
}

/** The run was stopped by SIGINT, SIGTERM or SIGHUP. */
export class InterruptedError extends SynError {
  override readonly code: number

  constructor(signalNumber: number) {
    super('interrupted')
    this.code = 128 + signalNumber
  }
}

/** The reader of standard output has closed it (EPIPE). */
export class BrokenPipeError extends SynError {
  override readonly code = exitCodes.brokenPipe

  constructor() {
    // Recorded in conversations as the reason why an answer is incomplete.
    super('the output was closed')
  }
}

function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.unauthorized
  if (status === 404) return exitCodes.notFound
  if (status === 429) return exitCodes.quota
  if (status >= 500 || status < 400 || status === 408 || status === 425) return exitCodes.network
  return exitCodes.failed
}

/**
 * The error of a run that may have no more memory; `undefined` for any other error. Node reserves 10 GB of addresses for the HTTP
 * parser, which limits of shared hosts do not allow (nodejs/node #56596).
 */
export function memoryFailure(error: unknown): FailedError | undefined {
  if (!(error instanceof RangeError) || !/memory|allocation failed/i.test(error.message)) return undefined
  const isParser = error.message.startsWith('WebAssembly')
  const less = isParser ? 'NODE_OPTIONS=--disable-wasm-trap-handler needs less' : []
  return new FailedError(`not enough memory${isParser ? ' for the HTTP parser of Node' : ''}`, {
    hint: ['raise the limit, for example with ulimit -v unlimited', less],
    cause: error,
  })
}

/** How to report any thrown value; an empty `message` is not printed. Never throws. */
export function explain(error: unknown): Pick<SynError, 'code' | 'message' | 'hint'> {
  // When the end of a `using` block fails, too: what failed first is the reason.
  if (error instanceof Error && 'suppressed' in error) return explain(error.suppressed)
  if (error instanceof InterruptedError || error instanceof BrokenPipeError) {
    return { code: error.code, message: '', hint: error.hint }
  }
  const memory = memoryFailure(error)
  if (memory) return memory
  if (isSystemError(error)) {
    const hint = error.code === 'EMFILE' ? 'raise the limit, for example with ulimit -n 256' : undefined
    const { path = error.syscall === 'uv_cwd' ? 'the working directory' : undefined } = error
    const place = path === undefined ? '' : `${path}: `
    return { code: exitCodes.failed, message: `${place}${reasonOf(error)}`, hint }
  }
  return error instanceof SynError ? error : new InternalError(error)
}

/** The message of any thrown value. */
export function errorMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    // An object without a prototype has no text.
    return 'an unknown error'
  }
}

/** Errors of the operating system, where Node's words are others, or none. */
const systemReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'port already in use',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  'Unknown system error -122': 'disk quota exceeded',
}

/** The message of an error. Of a system error, only its words: the message after `spawn` has none. */
export function reasonOf(error: unknown): string {
  if (!isSystemError(error)) return errorMessage(error)
  return systemReasons[error.code ?? ''] ?? getSystemErrorMap().get(error.errno ?? 0)?.[1] ?? errorMessage(error)
}

/** The reason why a file cannot be written: if something is missing, it is the directory. */
export function writeReasonOf(error: unknown): string {
  return reasonOf(error).replace(/^no such file$/, 'no such directory')
}

/** An error of the operating system, which carries a code such as ENOENT. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'syscall' in error
}
