/** Every way a run can fail, and the one function that turns a failure into words and an exit code. */

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

/** A failure that is told to the user: `message` says what happened, `hint` what to do about it. */
export class SynError extends Error {
  readonly code: number = exitCodes.failed
  readonly hint: string | undefined

  constructor(message: string, options: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = new.target.name
    this.hint = options.hint
  }
}

/** The same error with this advice in place of its own. Errors never change: what people read must not depend on order. */
export function withHint<E extends SynError>(error: E, hint: string): E {
  const copy = Object.create(Object.getPrototypeOf(error) as object) as E
  return Object.defineProperties(copy, {
    ...Object.getOwnPropertyDescriptors(error),
    // Newer versions of V8 read the stack of real errors alone.
    stack: { value: error.stack, configurable: true, writable: true },
    hint: { value: hint, enumerable: true },
  })
}

/** The same error with further advice, which only a caller knows. */
export function withAddedHint<E extends SynError>(error: E, hint: string): E {
  return withHint(error, error.hint === undefined ? hint : `${error.hint}; ${hint}`)
}

/** Something asked for could not be done: disk, nothing to extract, an answer that does not fit its schema. */
export class FailedError extends SynError {}

/** The command line, a document or a setting is not acceptable. Thrown before any request is sent. */
export class UsageError extends SynError {
  override readonly code = exitCodes.usage
}

/** There is no key, or none that may be sent to this address. */
export class MissingKeyError extends SynError {
  override readonly code = exitCodes.unauthorized
}

/** A threshold the user asked for was crossed. */
export class ThresholdError extends SynError {
  override readonly code = exitCodes.threshold
}

/** Something that was named is not among what the service has. */
export class NotFoundError extends SynError {
  override readonly code = exitCodes.notFound
}

/** What a service said besides a 2xx status. `retryAfter` is in milliseconds. */
export interface ServiceFailure {
  status: number
  retryAfter?: number | undefined
  hint?: string | undefined
  /** Whether a 404 is about the address and not about a model. */
  isRouteUnknown?: boolean
}

/** The service answered with a status other than 2xx. */
export class StatusError extends SynError {
  override readonly code: number
  readonly status: number
  readonly retryAfter: number | undefined
  readonly isRouteUnknown: boolean

  constructor(message: string, failure: ServiceFailure) {
    super(message, { hint: failure.hint })
    this.status = failure.status
    this.retryAfter = failure.retryAfter
    this.isRouteUnknown = failure.isRouteUnknown ?? false
    this.code = exitCodeOfStatus(failure.status)
  }
}

/** No connection, a silence that lasted too long, a refused redirect, or a reply that can't be read. */
export class NetworkError extends SynError {
  override readonly code = exitCodes.network
  /** Whether asking again may help; timeouts and refusals don't. */
  readonly retryable: boolean

  constructor(message: string, options: { hint?: string | undefined; cause?: unknown; retryable?: boolean } = {}) {
    super(message, options)
    this.retryable = options.retryable ?? false
  }
}

/** The answer broke off after part of it was delivered. */
export class CutShortError extends SynError {
  override readonly code = exitCodes.cutShort
}

/** The program was asked to stop by a signal (SIGINT and its kin). */
export class InterruptedError extends SynError {
  override readonly code: number

  constructor(signalNumber: number) {
    super('interrupted')
    this.code = 128 + signalNumber
  }
}

/** What read standard output is gone (EPIPE). */
export class BrokenPipeError extends SynError {
  override readonly code = exitCodes.brokenPipe

  constructor() {
    // The record of an answer keeps these words.
    super('left before its end')
  }
}

function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.unauthorized
  if (status === 404) return exitCodes.notFound
  if (status === 402 || status === 429) return exitCodes.quota
  if (status >= 500 || status < 400 || status === 408) return exitCodes.network
  return exitCodes.failed
}

/** What is said of a failure; an empty `message` says nothing. */
export interface Explanation {
  code: number
  message: string
  hint: string | undefined
}

/** Puts any thrown value into words. Never throws. */
export function explain(error: unknown): Explanation {
  if (error instanceof InterruptedError || error instanceof BrokenPipeError) {
    return { code: error.code, message: '', hint: error.hint }
  }
  if (error instanceof SynError) return { code: error.code, message: error.message, hint: error.hint }
  if (isSystemError(error)) return { code: exitCodes.failed, message: error.message, hint: undefined }
  return {
    code: exitCodes.failed,
    message: `internal error: ${errorMessage(error)}`,
    hint: 'this is a bug in syn; --debug shows where it happened',
  }
}

/** What any thrown value says. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** An error of the operating system, which carries a code such as ENOENT. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'syscall' in error
}
