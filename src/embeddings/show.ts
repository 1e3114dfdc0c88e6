/** Writes embeddings as they arrive, in the form that was asked for, and shows how far they have got. */

import type { EmbeddedBatch } from '../api/embeddings/embed.ts'
import { CutShortError, NetworkError, StatusError } from '../errors.ts'
import type { Io, Sink } from '../io/io.ts'
import type { Notices } from '../notices.ts'
import { keepPart, openTarget } from '../io/output.ts'
import { startProgress, type Progress } from '../terminal/progress.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { startWaiting } from '../terminal/spinner.ts'
import { chooseEmbeddingPrinter, type EmbeddingsView } from './choose-printer.ts'
import { EmbeddingMeter } from './meter.ts'

export interface EmbeddingSource {
  /** Starts the requests. */
  embed(): AsyncIterable<EmbeddedBatch>
  readonly textCount: number
  readonly requestCount: number
  /** Takes the key out of a text. */
  mask(text: string): string
}

/**
 * @throws what the source throws, after writing and keeping what had arrived; a CutShortError where some of it is written.
 */
export async function showEmbeddings(
  source: EmbeddingSource,
  view: EmbeddingsView,
  deps: { io: Io; notices: Notices; loadStyle: LoadStyle },
): Promise<void> {
  const { io, notices } = deps
  const { textCount, requestCount } = source
  const target = await openTarget(view.output, io)
  const spinner = requestCount === 1 ? await startWaiting('waiting for the embeddings', deps) : undefined
  const progress = requestCount > 1 ? startProgress({ total: textCount, unit: 'texts' }, deps) : undefined
  const printer = await chooseEmbeddingPrinter(view, clearing(target, progress), deps)
  const meter = new EmbeddingMeter(io.now)
  try {
    for await (const batch of source.embed()) {
      spinner?.stop()
      await printer.take({ ...batch, texts: batch.texts.map((text) => source.mask(text)) })
      meter.note(batch)
      progress?.advance(meter.textCount)
    }
    await printer.finish()
    await target.commit()
  } catch (error) {
    progress?.stop()
    const isWritten = await printer.breakOff().catch(() => false)
    throw await keepPart(isWritten ? cutShort(error, meter.textCount, textCount) : error, target)
  } finally {
    spinner?.stop()
    progress?.stop()
  }
  if (view.usage) await notices.tell(meter.summary())
}

/** Makes room for each piece of output, which may go to the same terminal. */
function clearing(sink: Sink, progress: Progress | undefined): Sink {
  if (!progress) return sink
  return {
    isTerminal: sink.isTerminal,
    columns: () => sink.columns(),
    write: (text) => {
      progress.clear()
      return sink.write(text)
    },
  }
}

/** What ends a run after some of it is written is no longer a failure of the whole. */
function cutShort(error: unknown, done: number, total: number): unknown {
  if (!(error instanceof NetworkError) && !(error instanceof StatusError)) return error
  const message = `cut short after ${done} of ${total} texts: ${error.message}`
  return new CutShortError(message, { hint: error.hint, cause: error })
}
