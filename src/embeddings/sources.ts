/** Chooses what `--from` sends of files: all of them if they are short, or else the parts that are nearest to the question. */

import { FailedError } from '../errors.ts'
import { type Source, sourceText } from '../input/sources.ts'
import { type Part, readParts } from '../input/parts.ts'
import { pluralize } from '../io/text/plural.ts'
import { estimatedTokens } from '../models/token-estimate.ts'
import { type Result, searchParts, type SearchContext } from './nearest.ts'

/** In tokens: as much as one answer is likely to rest on, at a price that nobody minds. */
const longest = 8000

/** The fraction of the model's context: the conversation and the answer need the rest. */
const shareOfContext = 1 / 4

/** In UTF-16 units, as of the longest paragraph. A line alone, such as an example, says little without those around it. */
const passageLength = 1500

interface Question {
  readonly text: string
  /** The parts that were sent with the message before, of which the nearest are sent again, up to half of all. */
  readonly before: readonly Source[]
  /** In tokens, of the model that is asked; `undefined` if it is unknown. */
  readonly contextLength: number | undefined
}

/**
 * Reads the files that paths stand for, and says in a notice what of them is sent.
 * @returns parts in the order of the files; those that touch are one.
 * @throws as `readParts` and `searchParts`; FailedError if the service refuses every part.
 */
export async function chooseSources(
  paths: readonly string[],
  { text, before, contextLength = Infinity }: Question,
  context: SearchContext,
): Promise<Source[]> {
  const budget = Math.min(longest, contextLength * shareOfContext)
  let left = budget
  const accepts = (part: Part): boolean => (left -= tokensOf([sourceOf(part)])) >= 0
  // Standard input can be read only once.
  const files = paths.includes('-') ? [] : await readParts(paths, { by: 'file', accepts }, context)
  if (files.length > 0) {
    const sources = files.map(sourceOf)
    const count = new Set(sources.map(({ path }) => path)).size
    await context.notices.info(`sending ${pluralize(count, 'whole file')}, ${shownTokens(sources)}`)
    return sources
  }
  const parts = await readParts(paths, {}, context)
  const nearest = await searchParts(text, parts, {}, context)
  const ranked = byPassage(nearest)
  const wasSent = (part: Part): boolean =>
    before.some((one) => one.path === sourceOf(part).path && one.text.includes(part.text))
  const again = fitting(ranked.filter(wasSent), budget / 2)
  const others = ranked.filter((one) => !again.includes(one))
  const [first] = nearest
  if (!first) throw new FailedError('the service refused every part')
  const chosen = [...again, ...fitting(others, budget - tokensOf(again.map(sourceOf)))]
  const sources = joined(chosen.length > 0 ? chosen : [cutTo(budget, first)])
  const count = pluralize(new Set(sources.map(({ path }) => path)).size, 'file')
  await context.notices.info(
    `${pluralize(sources.length, 'part')} of ${count}, ${shownTokens(sources)}, nearest ${first.similarity.toFixed(2)}`,
  )
  return sources
}

/** The parts with those around them, up to the length of a passage, by the nearest one of each passage. */
function byPassage(ranked: readonly Result[]): Result[] {
  const passages = new Map<Result, Result[]>()
  let [passage, length]: [Result[], number] = [[], 0]
  for (const part of ranked.toSorted((one, other) => one.order - other.order)) {
    length += part.text.length
    if (passage[0]?.path !== part.path || length > passageLength) [passage, length] = [[], part.text.length]
    passage.push(part)
    passages.set(part, passage)
  }
  return [...new Set(ranked.flatMap((part) => passages.get(part) ?? []))]
}

/** The first of them that fit. */
function fitting(ranked: readonly Result[], budget: number): Result[] {
  let left = budget
  const end = ranked.findIndex((part) => (left -= tokensOf([sourceOf(part)])) < 0)
  return ranked.slice(0, end === -1 ? undefined : end)
}

/** The beginning of a row that is longer than all that is sent. */
function cutTo(budget: number, part: Result): Result {
  const share = budget / tokensOf([sourceOf(part)])
  return { ...part, text: part.text.slice(0, Math.floor(part.text.length * share)).trimEnd() }
}

/** In the order of the files; those that follow one another become one, with the blank lines between them. */
function joined(chosen: readonly Result[]): Source[] {
  const sources: Source[] = []
  let before: Result | undefined
  for (const part of chosen.toSorted((one, other) => one.order - other.order)) {
    const [source, last] = [sourceOf(part), sources.at(-1)]
    const isNext = last?.path === source.path && before?.order === part.order - 1
    const touches = isNext && (!part.isPage || last.first === source.first)
    const between = touches ? '\n'.repeat(part.isPage ? 2 : source.first - last.last) : ''
    if (touches) sources[sources.length - 1] = { ...last, last: source.last, text: last.text + between + source.text }
    else sources.push(source)
    before = part
  }
  return sources
}

function sourceOf({ path: found, line, isPage, heading, text, indent = '' }: Part): Source {
  const path = found.replace(/^\.\//, '')
  const last = isPage ? line : line + text.split('\n').length - 1
  return { path, first: line, last, ...(isPage && { isPage }), heading, text: indent + text }
}

function tokensOf(sources: readonly Source[]): number {
  return sources.reduce((sum, source) => sum + estimatedTokens(sourceText(source)), 0)
}

function shownTokens(sources: readonly Source[]): string {
  const tokens = tokensOf(sources)
  return `${tokens < 1000 ? tokens : `${(tokens / 1000).toFixed(1)}k`} tokens`
}
