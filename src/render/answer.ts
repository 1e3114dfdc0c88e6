/** Shows an answer as it arrives, in the form that was asked for, and tells on standard error how it ended. */

import { setTimeout as pause } from 'node:timers/promises'
import { models } from '../api/models.ts'
import { costOf } from '../api/price.ts'
import type { Operation, Reply } from '../api/operation.ts'
import { FailedError, SynError } from '../errors.ts'
import type { JsonObject } from '../fields/json.ts'
import type { Io, Sink } from '../io/io.ts'
import type { Notices } from '../notices.ts'
import type { Delta } from '../stream/delta.ts'
import { CodePrinter } from './code-printer.ts'
import { JsonLinesPrinter, JsonPrinter } from './json-printer.ts'
import { Meter } from './meter.ts'
import { Outcome } from './outcome.ts'
import { inTurn, type Printer } from './printer.ts'
import { startSpinner, type Spinner } from './spinner.ts'
import { loadStyle } from './style.ts'
import { openTarget, type Target } from './target.ts'
import { TextPrinter } from './text-printer.ts'

/** The options of a command that steer how its answer is shown. */
export interface AnswerView {
  readonly json?: boolean
  readonly jsonl?: boolean
  readonly output?: string
  readonly extract?: boolean
  readonly extractLast?: boolean
  readonly reasoning?: boolean
  readonly usage?: boolean
  readonly quiet?: boolean
  readonly color?: boolean
}

export interface AnswerSource {
  /** Starts the request. */
  stream(options: { withChunks: boolean }): AsyncIterable<Delta[]>
  fold(chunks: readonly JsonObject[]): JsonObject
  /** How many answers were asked for. */
  readonly count: number
  readonly hasLogprobs: boolean
  readonly model: string
  /** Throws when an answer's text is not what was asked for. */
  check?(text: string): void
}

/** @throws what the stream throws, after showing and keeping what had arrived; FailedError when a check fails. */
export async function showAnswer(
  source: AnswerSource,
  view: AnswerView,
  { io, notices, client }: { io: Io; notices: Notices; client: { send(operation: Operation): Promise<Reply> } },
): Promise<void> {
  const target = await openTarget(view.output, io)
  const meter = new Meter(io.now)
  const outcome = new Outcome()
  const spinner = await waitingSign(io, target, view)
  const printer = await createPrinter(source, view, io, quieting(target, spinner), quieting(io.err, spinner))
  notices.beforeSaying = () => spinner?.clear()
  try {
    const stream = source.stream({ withChunks: Boolean(view.json ?? view.jsonl) })
    await print(stream, printer, [meter, outcome]).finally(() => spinner?.stop())
    if (source.check) for (const text of outcome.texts()) source.check(text)
    await target.commit()
  } catch (error) {
    // How the answer ended may be why it is not what was asked for.
    if (error instanceof FailedError) await outcome.tell(notices)
    throw await keepPart(error, target)
  }
  await outcome.tell(notices)
  if (view.usage) await notices.say(meter.summary(await costOfAnswer(meter, source, client)))
}

/** How long an answer's cost is waited for, in milliseconds: the answer itself is there. */
const costPatience = 2000

async function costOfAnswer(
  { usage, model }: Meter,
  source: AnswerSource,
  client: { send(operation: Operation): Promise<Reply> },
): Promise<number | undefined> {
  if (!usage) return undefined
  const list = client.send(models).catch(() => undefined)
  const reply = await Promise.race([list, pause(costPatience, undefined, { ref: false })])
  return reply && costOf(reply.json, [source.model, model], usage)
}

async function print(
  stream: AsyncIterable<Delta[]>,
  printer: Printer,
  observers: readonly { note(deltas: readonly Delta[]): void }[],
): Promise<void> {
  try {
    for await (const deltas of stream) {
      for (const observer of observers) observer.note(deltas)
      await printer.take(deltas)
    }
  } catch (error) {
    await printer.breakOff().catch(() => undefined)
    throw error
  }
  await printer.finish()
}

async function createPrinter(source: AnswerSource, view: AnswerView, io: Io, out: Sink, err: Sink): Promise<Printer> {
  const form = createForm(source, view, out, err)
  const outStyle = await loadStyle(io, out, view.color)
  const isJson = Boolean(view.json ?? view.jsonl)
  const options = {
    hasSeveral: source.count > 1,
    // JSON holds the reasoning itself.
    showsReasoning: view.reasoning ?? (io.err.isTerminal && !view.quiet && !isJson),
    showsProbabilities: source.hasLogprobs && outStyle.hasColor,
    outStyle,
    errStyle: await loadStyle(io, err, view.color),
  }
  if (!form) return new TextPrinter(out, err, options)
  return options.showsReasoning ? inTurn(new TextPrinter(nowhere, err, options), form) : form
}

/** The printer of an answer that is not shown as text. */
function createForm(source: AnswerSource, view: AnswerView, out: Sink, err: Sink): Printer | undefined {
  if (view.jsonl) return new JsonLinesPrinter(out)
  if (view.json) return new JsonPrinter(out, (chunks) => source.fold(chunks))
  if (!view.extract && !view.extractLast) return undefined
  const isFile = view.output !== undefined && view.output !== '-'
  return new CodePrinter(out, isFile ? out : err, view.extractLast ? 'last' : 'first')
}

/** Takes the text of an answer of which only the reasoning is to be seen. */
const nowhere: Sink = { isTerminal: false, columns: () => 80, write: () => Promise.resolve() }

/** A spinner where somebody is waiting: not beside an answer that another program reads. */
async function waitingSign(io: Io, target: Target, view: AnswerView): Promise<Spinner | undefined> {
  const isWatched = io.out.isTerminal && (target.isTerminal || view.output !== undefined)
  const { stream } = io.err
  if (!isWatched || !stream || view.quiet || io.env.TERM === 'dumb') return undefined
  const { hasColor } = await loadStyle(io, io.err, view.color)
  return startSpinner({ stream, text: 'waiting for the answer', hasColor })
}

/** Stops the spinner before anything is written. */
function quieting(sink: Sink, spinner: Spinner | undefined): Sink {
  if (!spinner) return sink
  return {
    isTerminal: sink.isTerminal,
    columns: () => sink.columns(),
    write: (text) => {
      spinner.stop()
      return sink.write(text)
    },
  }
}

/** @returns the error, which names the file that holds the part that had arrived. */
async function keepPart(error: unknown, target: Target): Promise<unknown> {
  const file = await target.keepPart()
  if (file === undefined || !(error instanceof SynError)) return error
  error.addHint(`what arrived is kept in ${file}`)
  return error
}
