/** Sends the requests of a run: how many at a time, when again after a failure, and when no more. */

import { RateLimitError } from '../../api/failures.ts'
import { blameFor, isOverloaded, mayBeTooMany, retryDelay } from '../../api/retry-policy.ts'
import { CutShortError, errorMessage, explain, NetworkError, StatusError, TimeoutError } from '../../errors.ts'
import type { CountOrPercentage } from '../../fields/notations.ts'
import { hintWords } from '../../hint-words.ts'
import { onAbort } from '../../io/time/abort-signal.ts'
import { durationText } from '../../io/time/time.ts'
import { Controller, type Jobs, type Sent } from './controller.ts'
import { ErrorCount } from './error-count.ts'
import { QuotaHold, type QuotaHoldOptions } from './quota-hold.ts'
import type { RowError, RowRequest, RowResult } from '../row.ts'
import { type PendingRow, RowQueue } from './row-queue.ts'
import type { RowReply, SendRow } from './sender.ts'

/** How fast requests are sent, and when no more are. */
export interface Pace extends Pick<QuotaHoldOptions, 'onLimit' | 'maxWait'> {
  readonly jobs: Jobs
  /** Requests a minute, not always whole (default: no limit). */
  readonly rpm?: number | undefined
  readonly maxErrors?: CountOrPercentage | undefined
}

export interface PoolOptions extends Pace, QuotaHoldOptions {
  readonly send: SendRow
  /** Called for each finished row, in any order. No request is sent while a slot waits for its promise. */
  onResult(request: RowRequest, result: RowResult): void | Promise<void>
  notify(text: string): Promise<void>
  /** The error in place of a request that may not be sent, unless those in flight cost less than they may (default: none). */
  refusal?(request: RowRequest): unknown
  /** How often a row is sent again after a fault of the service. */
  readonly retries: number
  /** Whether other models may answer a row if its own is overloaded (default: none). */
  hasFallback?(request: RowRequest): boolean
  /** A test runs hours at once. */
  readonly clock: QuotaHoldOptions['clock'] & {
    /** Calls back after a delay in milliseconds. @returns a function that stops the timer. */
    startTimer(delay: number, callback: () => void): () => void
  }
  /** Stops the run at once. Requests in flight are aborted with the client. */
  readonly signal: AbortSignal
}

/** Refusals of a row when no other is left to start, or that may be faults: after about two minutes. */
const maxRefusals = 9

/** In milliseconds: timers stop while the machine sleeps. */
const longestTimer = 60_000

/** In milliseconds: shorter waits after refusals are not worth a notice. */
const noticedWait = 2000

/** In milliseconds: timers are late, and with `rpm` a late request must not delay all that follow. */
const maxCatchUp = 20

export class Pool {
  readonly #options: PoolOptions
  readonly #clock: PoolOptions['clock']
  readonly #controller: Controller
  readonly #quota: QuotaHold
  readonly #errors: ErrorCount
  readonly #rows = new RowQueue((failure) => (failure ? this.#stopWith(failure.error) : this.#pump()))

  /** Results that `onResult` has not taken yet. */
  #reporting = 0
  #answered = 0
  #hasNoticedRefusals = false

  /** When the next request may be sent: evenly spaced, as a burst could exceed a limit that is counted over seconds. */
  #nextStart = Number.NEGATIVE_INFINITY
  #stopTimer = (): void => undefined
  /** No row is started any more; the error to throw then. */
  #stop: { readonly error: unknown } | undefined
  #settle: ((outcome?: { readonly error: unknown }) => void) | undefined

  constructor(options: PoolOptions) {
    this.#options = options
    this.#clock = options.clock
    this.#controller = new Controller(options.jobs)
    this.#errors = new ErrorCount(options.maxErrors)
    this.#quota = new QuotaHold(options, () => this.#pump())
  }

  get inFlight(): number {
    return this.#controller.inFlight
  }

  /** How many may be in flight now. */
  get limit(): number {
    return this.#controller.limit
  }

  /** Whether no row is left to be sent. */
  get isDone(): boolean {
    return this.#rows.isEmpty
  }

  /** What the run waits for before it sends more, such as `quota used up, renews in 43 s`. */
  get waiting(): string | undefined {
    const now = this.#clock.now()
    const { isOutage, nextStart } = this.#controller
    if (isOutage) return `service unavailable, next try in ${durationText(Math.max(0, nextStart - now))}`
    return this.#quota.waiting
  }

  /** What is left of the quota, in words; `undefined` if the service has not said. */
  get quotaLeft(): string | undefined {
    return this.#quota.left
  }

  /**
   * Sends all rows, or those until `drain`. Call once.
   * @param rows Read only when one can be sent.
   * @throws what stops the run, after the requests in flight have finished; what `rows` throws, likewise; at once, what
   *   `onResult` throws, and the signal's reason when it aborts.
   */
  async run(rows: AsyncIterable<readonly RowRequest[]>): Promise<void> {
    this.#rows.read(rows)
    let ignoreAbort = (): void => undefined
    try {
      await new Promise<void>((resolve, reject) => {
        this.#settle = (outcome) => (outcome ? reject(outcome.error) : resolve())
        ignoreAbort = onAbort(this.#options.signal, () => this.#end({ error: this.#options.signal.reason }))
        this.#pump()
      })
    } finally {
      ignoreAbort()
      this.#rows.close()
    }
  }

  /** Starts no other row; `run` returns when those in flight have finished. */
  drain(): void {
    // With all slots taken, only this tells whether rows are left.
    this.#rows.look()
    this.#stopWith(undefined)
  }

  /** Starts all rows that may be sent now. Called after each event. */
  #pump(): void {
    while (this.#settle && !this.#stop && !this.#isFull()) {
      const now = this.#clock.now()
      const at = this.#rows.nextAt(now, this.#controller.isProbing)
      if (at === undefined) break
      const wakeAt = Math.max(at, this.#mayStartAt())
      // The quota, or the errors so far, may have stopped the run.
      if (this.#stop) break
      if (wakeAt > now) {
        this.#noticeRefusals(wakeAt - now)
        this.#stopTimer()
        this.#stopTimer = this.#clock.startTimer(Math.min(wakeAt - now, longestTimer), () => this.#pump())
        break
      }
      const row = this.#rows.take(now, this.#controller.isProbing)
      const error = this.#options.refusal?.(row.request)
      if (error !== undefined) {
        this.#rows.putBack(row)
        if (this.inFlight === 0 && this.#reporting === 0) this.#stop = { error }
        break
      }
      this.#start(row, now)
    }
    const isIdle = this.inFlight === 0 && this.#reporting === 0
    // The next row may come much later, from a pipe.
    if (isIdle && !this.isDone && !this.#stop) {
      const error = this.#errors.stopError()
      if (error) this.#stop = { error }
    }
    if (isIdle && (this.#stop || this.isDone)) this.#end(this.#stop?.error === undefined ? undefined : this.#stop)
  }

  /** @param wait Milliseconds until a row is due. Without a request in flight, nothing else shows that the run goes on. */
  #noticeRefusals(wait: number): void {
    const isRefused = (this.#rows.firstDelayed?.refusals ?? 0) > 0
    if (this.#hasNoticedRefusals || !isRefused || this.inFlight > 0 || this.waiting || wait < noticedWait) return
    this.#hasNoticedRefusals = true
    this.#notify(`rate limit reached; next try in ${durationText(wait)}`)
  }

  #isFull(): boolean {
    return (this.#errors.hasOnlyFailures && this.inFlight > 0) || this.#controller.isFull(this.#reporting)
  }

  /** When a row may be sent, as far as the run is concerned. */
  #mayStartAt(): number {
    const error = this.#errors.stopError() ?? this.#quota.stopError(this.inFlight)
    if (error) this.#stopWith(error)
    const start = Math.max(this.#controller.nextStart, this.#nextStart)
    if (this.#controller.isOutage) return start
    if (this.#quota.end()) this.#controller.restart()
    const notice = error ? undefined : this.#quota.takeNotice()
    if (notice !== undefined) this.#notify(notice)
    return this.#quota.until ?? start
  }

  #start(row: PendingRow, now: number): void {
    row.attempts++
    const { rpm = Infinity } = this.#options
    this.#nextStart = (now - this.#nextStart <= maxCatchUp ? this.#nextStart : now) + 60_000 / rpm
    const sent = this.#controller.begin(now)
    this.#options
      .send(row.request, this.#asksAll(row))
      .then(
        (reply) => this.#succeed(row, sent, reply),
        (error: unknown) => this.#fail(row, sent, error),
      )
      .catch((error: unknown) => this.#end({ error }))
  }

  #succeed(row: PendingRow, sent: Sent, { result, requests = 1, wait, quota }: RowReply): void {
    if (!this.#settle) return
    const now = this.#clock.now()
    this.#answered++
    this.#quota.follow(quota)
    this.#noticeEnd(this.#controller.succeed(sent, wait, now))
    if (result.error) this.#errors.fail(result.error.message)
    else this.#errors.succeed()
    this.#report(row, { attempts: row.attempts - 1 + requests, ...result })
  }

  #fail(row: PendingRow, sent: Sent, error: unknown): void {
    if (!this.#settle) return
    const now = this.#clock.now()
    const blame = blameFor(error, row.request.hasOwnModel)
    const random = this.#options.random()
    if (blame === 'limit' && error instanceof RateLimitError) {
      this.#noticeEnd(this.#controller.refuse(sent, error, now, random))
      this.#quota.refuse(error)
      const isLast = this.#failsAlone(row) && this.#quota.until === undefined
      if (isLast && row.refusals >= maxRefusals) return this.#finishFailed(row, error)
      return this.#delay(row, retryDelay(row.refusals++, error, random), now)
    }
    if (mayBeTooMany(error) && row.refusals < maxRefusals && sent.isSurplus) {
      this.#controller.suspect(sent, row, error, now, random)
      return this.#delay(row, retryDelay(row.refusals++, error, random), now)
    }
    if (blame === 'cost') {
      this.#controller.fail(sent)
      // Requests in flight may cost less than they may: the rest can be enough for another model.
      return this.inFlight === 0 ? this.#stopWith(error) : this.#delay(row, retryDelay(row.attempts, error, 1), now)
    }
    if (blame === 'service') return this.#failByFault(row, sent, error, now)
    this.#noticeEnd(this.#controller.reply(sent))
    if (blame === 'credit') {
      void this.#quota.useUp(error as StatusError, () => this.#stopWith(error))
      return this.#delay(row, 0, now)
    }
    if (blame === 'run') this.#stopWith(error)
    else this.#finishFailed(row, error)
  }

  /**
   * Whether no other row is left to start, and others were answered since this one failed first: some services fail on a
   * request each time, and the end of a run does not wait for it forever. In a storm or an outage, no row is answered.
   */
  #failsAlone(row: PendingRow): boolean {
    row.answeredBefore ??= this.#answered
    return this.#rows.hasStartedAll && this.#answered > row.answeredBefore
  }

  /** All are asked in an outage, too, which ends when any model answers. */
  #asksAll({ faults, asksAll = false }: PendingRow): boolean {
    return asksAll || faults >= this.#options.retries || this.#controller.isOutage
  }

  #failByFault(row: PendingRow, sent: Sent, error: unknown, now: number): void {
    const wasOutage = this.#controller.isOutage
    const { hasFallback, random } = this.#options
    const isOfModel = error instanceof StatusError && isOverloaded(error) && hasFallback?.(row.request) === true
    const asksAll = this.#asksAll(row)
    // Only now all models have failed: as long as another one may answer, the service is not down.
    if (isOfModel && asksAll && !row.asksAll) Object.assign(row, { asksAll, faults: 0 })
    const isOfRow = this.#failsAlone(row) || (isOfModel && !asksAll)
    const verdict = isOfRow ? 'retry' : this.#controller.fault(sent, row, error, now, random())
    if (isOfRow) this.#controller.fail(sent)
    if (this.#controller.isOutage && !wasOutage) this.#notify(`service unavailable: ${errorMessage(error)}; probing`)
    if (verdict === 'lost') return this.#stopWith(asOutage(error))
    if (verdict === 'probe') return this.#delay(row, 0, now)
    if (row.faults++ < this.#options.retries)
      return this.#delay(row, retryDelay(row.faults - 1, error, this.#options.random()), now)
    if (verdict === 'down') this.#stopWith(asOutage(error))
    else this.#finishFailed(row, error)
  }

  #noticeEnd(wasOutage: boolean): void {
    if (wasOutage) this.#notify('service available again')
  }

  #delay(row: PendingRow, wait: number, now: number): void {
    this.#rows.delay(row, wait, now)
    this.#pump()
  }

  #finishFailed(row: PendingRow, error: unknown): void {
    const { message, code, hint = '' } = explain(error)
    this.#errors.fail(message, code)
    const failure = { code: errorCode(error), message: hintWords([errorMessage(error), hint]) }
    this.#report(row, { attempts: row.attempts, response: null, error: failure, isCutOff: false })
  }

  #report({ request }: PendingRow, result: RowResult): void {
    const pending = this.#options.onResult(request, result)
    if (pending === undefined) return this.#pump()
    this.#reporting++
    pending.then(
      () => {
        this.#reporting--
        this.#pump()
      },
      (error: unknown) => this.#end({ error }),
    )
  }

  /** Only the first reason counts. */
  #stopWith(error: unknown): void {
    this.#stop ??= { error }
    this.#pump()
  }

  #end(outcome?: { readonly error: unknown }): void {
    const settle = this.#settle
    this.#settle = undefined
    this.#stopTimer()
    settle?.(outcome)
  }

  #notify(text: string): void {
    this.#options.notify(text).catch((error: unknown) => this.#end({ error }))
  }
}

/** A run that ends since all answers break off has no answer that was cut short: the service is down. */
function asOutage(error: unknown): unknown {
  return error instanceof CutShortError ? new NetworkError(error.message, { hint: error.hint, cause: error }) : error
}

function errorCode(error: unknown): RowError['code'] {
  if (error instanceof StatusError) return `http_${error.status}`
  if (error instanceof TimeoutError) return 'timeout'
  return error instanceof CutShortError ? 'cut_short' : 'network'
}
