/** Writes embeddings in the requested format as they arrive, with progress and usage. */

import type { EmbeddedGroup } from '../api/embeddings/embed.ts'
import { CutShortError, NetworkError, StatusError, UsageError, withAddedHint } from '../errors.ts'
import { choicesText, invalidValue } from '../fields/problem.ts'
import type { TableStyle } from '../io/text/csv-text.ts'
import { quote } from '../io/json/print.ts'
import { pluralize } from '../io/text/plural.ts'
import { type Io, type Sink, withHook } from '../io/io.ts'
import { complete, openTarget } from '../io/files/output.ts'
import { safe } from '../io/text/safe-text.ts'
import type { Notices } from '../notices.ts'
import { decodeUsage } from '../stream/delta.ts'
import { startProgress } from '../terminal/progress.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { showSpinner } from '../terminal/spinner.ts'
import { type BesideColumns, csvFormat, type EmbeddedGroups, jsonFormat, writeReply, writeRows } from './formats.ts'

export const embeddingFormats = ['jsonl', 'csv', 'tsv'] as const
type EmbeddingFormat = (typeof embeddingFormats)[number]

/** The options that select how embeddings are written. */
export interface EmbeddingsView {
  readonly format?: EmbeddingFormat
  readonly withText?: boolean
  readonly keep?: readonly string[] | undefined
  readonly json?: boolean
  readonly output?: string
  readonly usage?: boolean
  /** The table that a file is made of. */
  readonly style?: TableStyle | undefined
}

/** The format that was given, or that of the output file's extension. */
function formatOf({ format, output }: EmbeddingsView): EmbeddingFormat | undefined {
  const extension = extensionOf(output)
  return format ?? embeddingFormats.find((one) => one === extension)
}

/** `csv` for `a.CSV`; `undefined` without an extension. */
function extensionOf(output = ''): string | undefined {
  const extension = /\.([^./\\]+)$/.exec(output)?.[1]?.toLowerCase()
  return extension === 'ndjson' ? 'jsonl' : extension
}

/** @throws UsageError if the output file's extension names no format, where it decides. */
export function checkExtension(view: EmbeddingsView): void {
  const extension = extensionOf(view.output)
  if (view.format !== undefined || view.json || extension === undefined) return
  if (formatOf(view) !== undefined) return
  const expected = choicesText(
    embeddingFormats.map((one) => `.${one}`),
    `.${extension}`,
  )
  throw withAddedHint(
    invalidValue('--output', { path: [], found: quote(`.${extension}`), expected }),
    'for any other name, choose the format with --format',
  )
}

/** Whether the output has a column with this name besides those to keep. A table has one for each dimension. */
export function hasColumn(view: EmbeddingsView, name: string): boolean {
  const format = formatOf(view)
  const ofEmbedding = format === 'csv' || format === 'tsv' ? /^v\d+$/ : /^embedding$/
  return name === 'index' || (name === 'text' && view.withText === true) || ofEmbedding.test(name)
}

export interface EmbeddingSource {
  embed(): AsyncIterable<EmbeddedGroup>
  /** `undefined` for input that is still being read. */
  readonly textCount: number | undefined
  /** At least 2 for such input. */
  readonly requestCount: number
  /** How many were sent. */
  sentCount(): number
}

/**
 * Writes embeddings as they arrive.
 * @throws what the source throws, after writing the part received; a CutShortError if any of it was written.
 */
export async function showEmbeddings(
  source: EmbeddingSource,
  view: EmbeddingsView,
  deps: { io: Io; notices: Notices; loadStyle: LoadStyle },
): Promise<void> {
  const { io, notices } = deps
  const { textCount, requestCount } = source
  const target = await openTarget(view.output, io)
  if (requestCount > 1) (await import('../io/process/heap-tuning.ts')).limitHeapGrowth()
  const spinner = requestCount === 1 ? await showSpinner(safe`waiting for the embeddings`, deps) : undefined
  const progress = requestCount > 1 ? startProgress(textCount, deps) : undefined
  const started = io.elapsed()
  let done = 0
  /** `undefined` once a reply has no token count. */
  let promptTokens: number | undefined = 0
  let failure: unknown
  /** Ends when a request fails, so that the part received is written. */
  async function* received(): AsyncGenerator<EmbeddedGroup, void, undefined> {
    try {
      for await (const group of source.embed()) {
        spinner?.stop()
        yield group
        const tokens = decodeUsage(group.usage)?.promptTokens
        promptTokens = promptTokens === undefined || tokens === undefined ? undefined : promptTokens + tokens
        done += group.texts.length
        progress?.advance(done)
      }
    } catch (error) {
      progress?.stop()
      failure = done > 0 ? cutShort(error, done, textCount) : error
    }
  }
  try {
    await complete(target, async () => {
      // The progress line may be on the same terminal.
      const out = progress ? withHook(target, () => progress.clear()) : target
      await writeEmbeddings(received(), view, out).catch((error: unknown) => (failure ??= error))
      if (failure !== undefined) throw failure
    })
  } finally {
    spinner?.stop()
    progress?.stop()
  }
  if (!view.usage) return
  const tokens =
    promptTokens === undefined ? 'no token counts (the service sent none)' : pluralize(promptTokens, 'prompt token')
  const seconds = ((io.elapsed() - started) / 1000).toFixed(2)
  const counts = [tokens, pluralize(done, 'text'), pluralize(source.sentCount(), 'request'), `${seconds} s`]
  await notices.summary(counts.join(' · '))
}

/** A failure after output was written means that the output is incomplete; bad input keeps its exit status. */
function cutShort(error: unknown, done: number, total: number | undefined): unknown {
  if (error instanceof UsageError) return withAddedHint(error, `the ${pluralize(done, 'text')} before are embedded`)
  if (!(error instanceof NetworkError) && !(error instanceof StatusError)) return error
  const count = total === undefined ? pluralize(done, 'text') : `${done} of ${total} texts`
  const message = `cut short after ${count}: ${error.message}`
  return new CutShortError(message, { hint: error.hint, cause: error })
}

async function writeEmbeddings(groups: EmbeddedGroups, view: EmbeddingsView, out: Sink): Promise<void> {
  const { withText: hasText = false, keep = [] } = view
  const beside: BesideColumns = {
    names: hasText ? ['text', ...keep] : keep,
    valuesOf: ({ text, kept = [] }) => (hasText ? [JSON.stringify(text), ...kept] : kept),
  }
  if (view.json) return writeReply(groups, out)
  const format = formatOf(view) ?? 'jsonl'
  return writeRows(groups, out, format === 'jsonl' ? jsonFormat(beside) : await csvFormat(beside, format, view.style))
}
