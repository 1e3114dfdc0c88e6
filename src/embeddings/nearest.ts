/** A search by meaning: how similar parts of files are to a question, and how the nearest are printed. */

import { defaultGroupSize, embedBy, embedGroups, groupsOf, otherDimensions } from '../api/embeddings/embed.ts'
import { operations, type Sender } from '../api/operations.ts'
import { advice, FailedError, NetworkError, StatusError, syn, UsageError, withAddedHint } from '../errors.ts'
import { maxParts, type Part } from '../input/parts.ts'
import { placeOf } from '../input/sources.ts'
import { largestOf } from '../io/arrays.ts'
import type { OutputTarget } from '../io/files/output.ts'
import { type Io, writeText } from '../io/io.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { writeJson } from '../io/json/print.ts'
import { askConfirmation, canAsk } from '../io/process/question.ts'
import { linesOf, noText, safe, sanitizeName } from '../io/text/safe-text.ts'
import { andOthers, pluralize } from '../io/text/plural.ts'
import { yieldIfDue } from '../io/time/abort-signal.ts'
import type { Catalog } from '../models/catalog.ts'
import { chooseEmbeddingModel, searchPrefixesOf } from '../models/embedding-model.ts'
import { withModelHint } from '../models/rotation.ts'
import type { Notices } from '../notices.ts'
import type { Settings } from '../settings/settings.ts'
import { startProgress } from '../terminal/progress.ts'
import { withSpinner } from '../terminal/spinner.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { cutTo, padTo, widthOf } from '../terminal/width.ts'
import { type EmbeddingCache, openCache } from './cache.ts'
import { similarityTo } from './similarity.ts'

export interface Result extends Part {
  /** From -1 to 1, with four digits: those behind them differ from one request to the next. */
  similarity: number
  /** Its position among all parts. */
  readonly order: number
}

export interface SearchContext {
  readonly client: Sender
  readonly catalog: Catalog
  readonly settings: Settings
  readonly io: Io
  readonly notices: Notices
  readonly loadStyle: LoadStyle
  /** Whether the answer is `y` (default: `askConfirmation`, which takes the terminal from a chat). */
  readonly ask?: typeof askConfirmation
}

export interface SearchOptions {
  /** Without one, `chooseEmbeddingModel` does. */
  readonly model?: Json | undefined
  readonly dimensions?: number | undefined
  /** Whether what was embedded before is used, and what is embedded is kept (default: true). */
  readonly cache?: boolean | undefined
  /** Whether many parts are embedded without asking (default: false). */
  readonly yes?: boolean | undefined
}

interface Search extends SearchContext {
  /** The fields of each request except `input`. */
  readonly body: JsonObject
  readonly cache: EmbeddingCache | undefined
  /** What the model wants before a question and before each text. */
  readonly prefixes: { readonly question: string; readonly text: string }
}

export function locationText({ path, line, isPage }: Part): string {
  return placeOf({ path, first: line, isPage })
}

/**
 * Ranks the parts of files by how near they are to a question, with the user's model and cache.
 * @returns the nearest first.
 * @throws as `nearestParts`; UsageError without a model, or without anybody to ask about many parts; FailedError if the user
 *   declines.
 */
export async function searchParts(
  question: string,
  parts: readonly Part[],
  { model: given, dimensions, cache: isCached, yes }: SearchOptions,
  context: SearchContext,
): Promise<Result[]> {
  const model = await chooseEmbeddingModel(given, context)
  const body = { model, ...(dimensions !== undefined && { dimensions }) }
  const prefixes = searchPrefixesOf(model)
  const cache = isCached === false ? undefined : openCache(body, context)
  const texts = [...new Set(parts.map(({ text }) => text))]
  const missing = texts.filter((text) => !cache?.has(prefixes.text + text)).length
  if (missing > maxParts && !yes) await confirm(missing, context)
  const ranked = await nearestParts(question, parts, { ...context, body, cache, prefixes }).catch(
    async (error: unknown) => {
      throw await withModelHint(error, { operation: operations.embeddings, body }, context.catalog)
    },
  )
  for (const note of cache?.notes() ?? []) await context.notices.info(note)
  return ranked
}

/** Asks before many embeddings are requested. @throws UsageError without a terminal; FailedError if the user declines. */
async function confirm(count: number, { io, ask }: SearchContext): Promise<void> {
  const many = `${count} parts to embed, in ${Math.ceil(count / defaultGroupSize)} requests`
  const hint = advice`name fewer files, or embed them once with ${syn('similar --yes')}`
  if (!ask && !canAsk(io)) throw new UsageError(many, { hint })
  if (!(await (ask ?? askConfirmation)(safe`${sanitizeName(many)}. Go on?`, io)))
    throw new FailedError('nothing was sent')
}

/**
 * Embeds the question, and the texts that the cache does not have.
 * @returns the nearest first, without those that the service refuses, of which a warning names the first.
 * @throws StatusError, NetworkError, after what arrived was stored.
 */
async function nearestParts(question: string, parts: readonly Part[], search: Search): Promise<Result[]> {
  const { client, body, cache, prefixes, io, notices } = search
  const results = parts.map((part, order) => ({ similarity: NaN, order, ...part }))
  const byText = new Map<string, Result[]>(parts.map(({ text }) => [text, []]))
  for (const result of results) byText.get(result.text)?.push(result)
  const ask = () => embedBy(client, body, io.signal)([prefixes.question + question])
  const [vector = []] = (await withSpinner(safe`searching`, search, ask)).vectors
  const warning = otherDimensions(body, [vector])
  if (warning !== undefined) await notices.warn(warning)
  cache?.expect(vector.length)
  const similarity = similarityTo(vector)
  const texts = [...byText.entries()]
  const missing: Result[][] = []
  for (let start = 0; start < texts.length; start += defaultGroupSize) {
    const some = texts.slice(start, start + defaultGroupSize)
    const found = cache?.find(some.map(([text]) => prefixes.text + text)) ?? []
    for (const [at, [, same]] of some.entries()) {
      if (found[at]) setAll(same, similarity(found[at]))
      else missing.push(same)
    }
    await yieldIfDue(io.signal)
  }
  if (missing.length > 0) {
    const count = `${missing.length} of ${pluralize(texts.length, 'part')}`
    await notices.info(`embedding ${count}${cache ? ' (first time only)' : ''}`)
    await embedMissing(missing, similarity, { ...search, dimensions: vector.length })
  }
  return results
    .filter((result) => !Number.isNaN(result.similarity))
    .sort((one, other) => other.similarity - one.similarity)
}

function setAll(results: readonly Result[], similarity: number): void {
  for (const result of results) result.similarity = Number(similarity.toFixed(4))
}

/** @param missing The results of each text. @throws as `nearestParts`. */
async function embedMissing(
  missing: readonly Result[][],
  similarity: (vector: Float32Array) => number,
  search: Search & { readonly dimensions: number },
): Promise<void> {
  const { client, body, cache, prefixes, dimensions } = search
  const items = missing.map(([result]) => ({ text: prefixes.text + (result?.text ?? ''), line: 1 }))
  const nameOf = (index: number): string => (missing[index] ?? []).slice(0, 1).map(locationText).join()
  const refused: { place: string; message: string }[] = []
  const onRefused = ({ message }: StatusError, index: number): void =>
    void refused.push({ place: nameOf(index), message })
  const send = embedBy(client, body, search.io.signal)
  const embed = cache?.storing(send) ?? send
  const progress = startProgress(missing.length, search)
  let done = 0
  try {
    const groups = groupsOf([items])
    for await (const group of embedGroups(groups, embed, nameOf, { onRefused, dimensions })) {
      for (const [at, vector] of group.vectors.entries()) {
        setAll(missing[group.first + at] ?? [], similarity(Float32Array.from(vector)))
      }
      done += group.vectors.length
      progress?.advance(done)
    }
  } catch (error) {
    const isKept = cache && cache.failure === undefined
    const isOfService = error instanceof NetworkError || error instanceof StatusError
    throw isKept && isOfService ? withAddedHint(error, 'what arrived is stored: the same command continues') : error
  } finally {
    progress?.stop()
  }
  const [first] = refused
  if (first) await search.notices.warn(`left out ${first.place}${andOthers(refused, 'part')}: ${first.message}`)
}

/** In characters of a text, more than a row has room for. */
const maxShown = 1000

/** In columns. With less, a text gets a row of its own. */
const minTextWidth = 20

export async function writeSimilarTexts(results: readonly Result[], json = false, target: OutputTarget): Promise<void> {
  const objects = results.map(({ similarity, path, line, isPage, text }) => {
    return { similarity, path, ...(isPage ? { page: line } : { line }), text }
  })
  if (json) return writeJson(objects, target)
  if (!target.isTerminal) {
    const rows = results.map((result) => [result.similarity.toFixed(4), locationText(result), result.text])
    return writeText(target, tabSeparated(rows))
  }
  const places = results.map((result) => sanitizeName(locationText(result)))
  const width = largestOf(places.map(widthOf))
  const room = target.columns() - width - '0.00    '.length
  const lines = results.flatMap(({ similarity, text }, at) => {
    const [number, place = noText] = [sanitizeName(similarity.toFixed(2)), places[at]]
    const shown = sanitizeName(text.slice(0, maxShown).replace(/\s+/g, ' '))
    if (room >= minTextWidth) return [safe`${number}  ${padTo(place, width)}  ${cutTo(shown, room)}`]
    return [safe`${number}  ${place}`, safe`      ${cutTo(shown, target.columns() - 6)}`]
  })
  return target.write(linesOf(lines))
}
