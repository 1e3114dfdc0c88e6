/** Sends the requests of a run: how many at a time, when again after a failure, and when no more. */

import { RateLimitError } from '../../api/failures.ts'
import { blameFor, isOverloaded, mayBeTooMany, retryDelay } from '../../api/retry-policy.ts'
import {
  CutShortError,
  errorMessage,
  exitCodes,
  explain,
  NetworkError,
  StatusError,
  SynError,
  TimeoutError,
} from '../../errors.ts'
import type { CountOrPercentage } from '../../fields/notations.ts'
import { pluralize } from '../../io/text/plural.ts'
import { onAbort } from '../../io/time/abort-signal.ts'
import { durationText } from '../../io/time/time.ts'
import { Concurrency, type Jobs, type Sent } from './concurrency.ts'
import { Outage } from './outage.ts'
import { QuotaHold, type QuotaHoldOptions } from './quota-hold.ts'
import type { RowError, RowRequest, RowResult } from '../row.ts'
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

/** A row that has not finished. */
interface PendingRow {
  readonly request: RowRequest
  attempts: number
  refusals: number
  /** How many rows had been answered when it failed first. */
  answeredBefore?: number
  faults: number
  /** Whether all models that may answer it are asked in each attempt. */
  asksAll?: boolean
  /** When it may be sent. */
  due: number
}

/** Rows that wait to be sent again hold no slot; with more of them, no other row is started. */
const maxDelayed = 64

/** Refusals of a row when no other is left to start, or that may be faults: after about two minutes. */
const maxRefusals = 9

/** In milliseconds: more is not waited for one row, and timers stop while the machine sleeps. */
const longestDelay = 3_600_000
const longestTimer = 60_000

/** In milliseconds: shorter waits after refusals are not worth a notice. */
const noticedWait = 2000

/** In milliseconds: timers are late, and with `rpm` a late request must not delay all that follow. */
const maxCatchUp = 20

export class Pool {
  readonly #options: PoolOptions
  readonly #clock: PoolOptions['clock']
  readonly #concurrency: Concurrency
  readonly #quota: QuotaHold
  readonly #outage = new Outage()
  readonly #errors: ErrorCount

  #iterator: AsyncIterator<readonly RowRequest[]> | undefined
  /** What was pulled, and how much of it was started. */
  #pulled: readonly RowRequest[] = []
  #started = 0
  #isPulling = false
  #hasAll = false
  /** Sorted by when they are due. */
  readonly #delayed: PendingRow[] = []
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
    this.#concurrency = new Concurrency(options.jobs)
    this.#errors = new ErrorCount(options.maxErrors)
    this.#quota = new QuotaHold(options, () => this.#pump())
  }

  get inFlight(): number {
    return this.#concurrency.inFlight
  }

  /** How many may be in flight now. */
  get limit(): number {
    return this.#concurrency.limit
  }

  /** Whether no row is left to be sent. */
  get isDone(): boolean {
    return this.#hasAll && this.#left === 0 && this.#delayed.length === 0
  }

  /** What the run waits for before it sends more, such as `quota used up, renews in 43 s`. */
  get waiting(): string | undefined {
    const now = this.#clock.now()
    const { isActive, nextProbe } = this.#outage
    if (isActive) return `service unavailable, next try in ${durationText(Math.max(0, nextProbe - now))}`
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
    this.#iterator = rows[Symbol.asyncIterator]()
    let ignoreAbort = (): void => undefined
    try {
      await new Promise<void>((resolve, reject) => {
        this.#settle = (outcome) => (outcome ? reject(outcome.error) : resolve())
        ignoreAbort = onAbort(this.#options.signal, () => this.#end({ error: this.#options.signal.reason }))
        this.#pump()
      })
    } finally {
      ignoreAbort()
      // Not awaited: the input may be a pipe that nobody writes to.
      if (!this.#hasAll) void this.#iterator.return?.().catch(() => undefined)
    }
  }

  /** Starts no other row; `run` returns when those in flight have finished. */
  drain(): void {
    // With all slots taken, only this tells whether rows are left.
    if (this.#left === 0 && !this.#hasAll) this.#pull()
    this.#stopWith(undefined)
  }

  /** Starts all rows that may be sent now. Called after each event. */
  #pump(): void {
    while (this.#settle && !this.#stop && !this.#isFull()) {
      const now = this.#clock.now()
      const at = this.#nextRowAt(now)
      if (at === undefined) break
      const wakeAt = Math.max(at, this.#mayStartAt())
      // The quota, or the errors so far, may have stopped the run.
      if (this.#stop) break
      if (wakeAt > now) {
        this.#noticeRefusals(at - now)
        this.#stopTimer()
        this.#stopTimer = this.#clock.startTimer(Math.min(wakeAt - now, longestTimer), () => this.#pump())
        break
      }
      const row = this.#takeRow(now)
      const error = this.#options.refusal?.(row.request)
      if (error !== undefined) {
        this.#delayed.unshift(row)
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
    const isRefused = (this.#delayed[0]?.refusals ?? 0) > 0
    if (this.#hasNoticedRefusals || !isRefused || this.inFlight > 0 || this.waiting || wait < noticedWait) return
    this.#hasNoticedRefusals = true
    this.#notify(`rate limit reached; next try in ${durationText(wait)}`)
  }

  #isFull(): boolean {
    if (this.#outage.isActive) return this.#outage.probe !== undefined
    if (this.#errors.hasOnlyFailures && this.inFlight > 0) return true
    return this.inFlight + this.#reporting >= this.limit
  }

  /** How many rows were pulled and not started. */
  get #left(): number {
    return this.#pulled.length - this.#started
  }

  /** Rows that the service fails on each time may be all that wait, and would probe it in vain. */
  get #takesNew(): boolean {
    return this.#delayed.length < maxDelayed || this.#outage.isActive
  }

  /** When there is a row to send; `undefined` if an event must come first. */
  #nextRowAt(now: number): number | undefined {
    const [first] = this.#delayed
    if (first && first.due <= now && !this.#outage.isActive) return now
    if (this.#takesNew) {
      if (this.#left > 0) return now
      if (!this.#hasAll) this.#pull()
    }
    // In an outage, any row can be the probe.
    return first && this.#outage.isActive ? now : first?.due
  }

  /** A probe is another row if possible: the service may fail on this one each time. */
  #takeRow(now: number): PendingRow {
    const [first] = this.#delayed
    const takesNew = this.#left > 0 && this.#takesNew
    const isDue = first !== undefined && first.due <= now && !(this.#outage.isActive && takesNew)
    const request = takesNew && !isDue ? this.#pulled[this.#started++] : undefined
    if (request) return { request, attempts: 0, refusals: 0, faults: 0, due: now }
    return this.#delayed.shift() as PendingRow
  }

  /** When a row may be sent, as far as the run is concerned. */
  #mayStartAt(): number {
    const error = this.#errors.stopError() ?? this.#quota.stopError(this.inFlight)
    if (error) this.#stopWith(error)
    if (this.#outage.isActive) return Math.max(this.#outage.nextProbe, this.#nextStart)
    if (this.#quota.end()) this.#concurrency.restart()
    const notice = error ? undefined : this.#quota.takeNotice()
    if (notice !== undefined) this.#notify(notice)
    return this.#quota.until ?? this.#nextStart
  }

  #pull(): void {
    if (this.#isPulling || !this.#iterator) return
    this.#isPulling = true
    this.#iterator.next().then(
      ({ done, value }) => {
        this.#isPulling = false
        this.#hasAll = done === true
        this.#pulled = done === true ? [] : value
        this.#started = 0
        this.#pump()
      },
      (error: unknown) => {
        this.#hasAll = true
        this.#stopWith(error)
      },
    )
  }

  #start(row: PendingRow, now: number): void {
    row.attempts++
    if (this.#outage.isActive) this.#outage.probe = row
    const { rpm = Infinity } = this.#options
    this.#nextStart = (now - this.#nextStart <= maxCatchUp ? this.#nextStart : now) + 60_000 / rpm
    const sent = this.#concurrency.begin(now)
    this.#options
      .send(row.request, this.#asksAll(row))
      .then(
        (reply) => this.#succeed(row, sent, reply),
        (error: unknown) => this.#fail(row, sent, error),
      )
      .catch((error: unknown) => this.#end({ error }))
  }

  #succeed(row: PendingRow, sent: Sent, { result, wait, quota }: RowReply): void {
    if (!this.#settle) return
    const now = this.#clock.now()
    this.#answered++
    this.#concurrency.succeed(sent, wait, now)
    this.#quota.follow(quota)
    this.#endOutage(row)
    if (result.error) this.#errors.fail(result.error.message)
    else this.#errors.succeed()
    this.#report(row, { attempts: row.attempts, ...result })
  }

  #fail(row: PendingRow, sent: Sent, error: unknown): void {
    if (!this.#settle) return
    const now = this.#clock.now()
    const blame = blameFor(error, row.request.hasOwnModel)
    if (blame === 'limit' && error instanceof RateLimitError) {
      this.#concurrency.refuse(sent, error.retryAfter, now)
      this.#quota.refuse(error)
      this.#endOutage(row)
      const isLast = this.#failsAlone(row) && this.#quota.until === undefined
      if (isLast && row.refusals >= maxRefusals) return this.#finishFailed(row, error)
      return this.#delay(row, retryDelay(row.refusals++, error, this.#options.random()), now)
    }
    const isSurplus = sent.isAboveMin && sent.hadCompany
    if (mayBeTooMany(error) && row.refusals < maxRefusals && isSurplus) {
      // The service may fail on this row each time: only the first failure says something about the limit.
      if (isSurplus && row.refusals === 0) this.#concurrency.suspect(sent, now)
      else this.#concurrency.fail(sent)
      this.#outage.suspect(row)
      return this.#delay(row, retryDelay(row.refusals++, error, this.#options.random()), now)
    }
    this.#concurrency.fail(sent)
    if (blame === 'service') return this.#failByFault(row, error, now)
    this.#endOutage(row)
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
    return this.#hasAll && this.#left === 0 && this.#answered > row.answeredBefore
  }

  /** Also in an outage, which ends when any model answers. */
  #asksAll({ faults, asksAll = false }: PendingRow): boolean {
    return asksAll || faults >= this.#options.retries || this.#outage.isActive
  }

  #failByFault(row: PendingRow, error: unknown, now: number): void {
    const wasActive = this.#outage.isActive
    const { hasFallback, random } = this.#options
    const isOfModel = error instanceof StatusError && isOverloaded(error) && hasFallback?.(row.request) === true
    const asksAll = this.#asksAll(row)
    // Only now all models have failed: as long as another one may answer, the service is not down.
    if (isOfModel && asksAll && !row.asksAll) Object.assign(row, { asksAll, faults: 0 })
    const verdict =
      this.#failsAlone(row) || (isOfModel && !asksAll)
        ? this.#outage.ignore(row)
        : this.#outage.add(row, error, now, random())
    if (this.#outage.isActive && !wasActive) this.#notify(`service unavailable: ${errorMessage(error)}; probing`)
    if (verdict === 'lost') return this.#stopWith(asOutage(error))
    if (verdict === 'probe') return this.#delay(row, 0, now)
    if (row.faults++ < this.#options.retries)
      return this.#delay(row, retryDelay(row.faults - 1, error, this.#options.random()), now)
    if (verdict === 'down') this.#stopWith(asOutage(error))
    else this.#finishFailed(row, error)
  }

  #endOutage(row: PendingRow): void {
    if (!this.#outage.end(row)) return
    this.#concurrency.restart()
    this.#notify('service available again')
  }

  #delay(row: PendingRow, wait: number, now: number): void {
    row.due = now + Math.min(wait, longestDelay)
    const index = this.#delayed.findIndex(({ due }) => due > row.due)
    this.#delayed.splice(index === -1 ? this.#delayed.length : index, 0, row)
    this.#pump()
  }

  #finishFailed(row: PendingRow, error: unknown): void {
    const { message, code } = explain(error)
    this.#errors.fail(message, code)
    const failure = { code: errorCode(error), message: errorMessage(error) }
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

/** `--max-errors`: a share of fewer rows is chance. */
const minJudged = 100

/** Without a limit: a run whose first rows all fail has something wrong with it. */
const maxFirstFailures = 25

class TooManyErrors extends SynError {
  override readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** Counts the rows that finish in this run. */
class ErrorCount {
  readonly #limit: CountOrPercentage | undefined
  #finished = 0
  #failed = 0
  /** What the latest row failed with: its message, and the exit status if all are like it. */
  #last: readonly [message: string, code: number] = ['', exitCodes.failed]

  constructor(limit: CountOrPercentage | undefined) {
    this.#limit = limit
  }

  succeed(): void {
    this.#finished++
  }

  fail(message: string, code: number = exitCodes.failed): void {
    this.#finished++
    this.#failed++
    this.#last = [message, code]
  }

  /** Whether so many of the first rows failed that nothing else should be sent before those in flight have finished. */
  get hasOnlyFailures(): boolean {
    return !this.#limit && this.#failed === this.#finished && this.#failed >= maxFirstFailures
  }

  /** Why no other row may be sent; `undefined` if one may. */
  stopError(): SynError | undefined {
    const [message, code] = this.#last
    const last = `failed, the last one with: ${message}`
    if (this.hasOnlyFailures) return new TooManyErrors(`the first ${this.#failed} rows ${last}`, code)
    const { value, isPercent } = this.#limit ?? { value: Infinity, isPercent: false }
    const isTooMany = isPercent
      ? this.#finished >= minJudged && this.#failed * 100 > value * this.#finished
      : this.#failed > value
    return isTooMany ? new TooManyErrors(`${pluralize(this.#failed, 'row')} ${last}`, exitCodes.failed) : undefined
  }
}
