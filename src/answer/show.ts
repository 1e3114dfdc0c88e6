/** Shows an answer as it arrives, in the form that was asked for, and tells on standard error how it ended. */

import type { Model } from '../api/models.ts'
import { costOf } from '../api/price.ts'
import { FailedError } from '../errors.ts'
import type { Json } from '../io/json.ts'
import type { Io, Sink } from '../io/io.ts'
import type { Notices } from '../notices.ts'
import type { Delta } from '../stream/delta.ts'
import { checkForm, choosePrinter, needsChunks, type AnswerView, type Asked } from './choose-printer.ts'
import { fencedBlock } from '../terminal/markdown/fenced-code.ts'
import { keepPart, openTarget } from '../io/output.ts'
import { Meter } from './meter.ts'
import { Outcome } from './outcome.ts'
import type { Printer } from './printer.ts'
import type { Spinner } from '../terminal/spinner.ts'
import { startWaiting } from '../terminal/waiting.ts'

/** The service's models, for what they cost. */
export interface ModelList {
  modelsAside(): Promise<Model[]>
}

export interface AnswerSource extends Asked {
  /** Starts the request. */
  stream(options: { withChunks: boolean }): AsyncIterable<Delta[]>
  /** As requested. */
  readonly model: Json
  /** Throws when an answer's text is not what was asked for. */
  check?(text: string): void
}

/**
 * @throws what the stream throws, after showing and keeping what had arrived; FailedError when a check fails; UsageError
 *   before anything is sent, when the answer can't be shown as asked.
 */
export async function showAnswer(
  source: AnswerSource,
  view: AnswerView,
  { io, notices, catalogue }: { io: Io; notices: Notices; catalogue: ModelList },
): Promise<void> {
  checkForm(view)
  const target = await openTarget(view.output, io)
  const meter = new Meter(io.now)
  const outcome = new Outcome((index) => source.title(index))
  const spinner = await startWaiting({ ...view, text: 'waiting for the answer' }, { io, notices })
  const printer = await choosePrinter(source, view, io, quieting(target, spinner), quieting(io.err, spinner))
  try {
    const stream = source.stream({ withChunks: needsChunks(view) })
    await print(stream, printer, [meter, outcome], spinner).finally(() => spinner?.stop())
    if (source.check) for (const text of outcome.texts()) source.check(shownPart(text, view))
    await target.commit()
  } catch (error) {
    // How the answer ended may be why it is not what was asked for.
    if (error instanceof FailedError) await outcome.tell(notices)
    throw await keepPart(error, target)
  }
  await outcome.tell(notices)
  if (view.usage) await notices.tell(meter.summary(await costOfAnswer(meter, source, catalogue)))
}

async function costOfAnswer(
  { usage, model }: Meter,
  source: AnswerSource,
  catalogue: ModelList,
): Promise<number | undefined> {
  if (!usage) return undefined
  return costOf(
    await catalogue.modelsAside(),
    [typeof source.model === 'string' ? source.model : undefined, model],
    usage,
  )
}

/** What is shown of an answer's text is what is checked. */
function shownPart(text: string, { extract, extractLast }: AnswerView): string {
  if (!extract && !extractLast) return text
  return fencedBlock(text, extractLast ? 'last' : 'first') ?? text
}

/**
 * @param spinner Comes back while the printer waits for something; its sinks stop it.
 * @throws what the stream throws, after what had arrived is shown.
 */
export async function print(
  stream: AsyncIterable<Delta[]>,
  printer: Printer,
  observers: readonly { note(deltas: readonly Delta[]): void }[],
  spinner: Spinner | undefined,
): Promise<void> {
  try {
    for await (const deltas of stream) {
      for (const observer of observers) observer.note(deltas)
      await printer.take(deltas)
      if (printer.awaited !== undefined) spinner?.resume(`waiting for ${printer.awaited}`)
    }
  } catch (error) {
    await printer.breakOff().catch(() => undefined)
    throw error
  }
  await printer.finish()
}

/** Stops the spinner before anything is written. */
export function quieting(sink: Sink, spinner: Spinner | undefined): Sink {
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
