import { isObject, type Json, type JsonObject } from '../../io/json.ts'
import type { EmbeddedBatch } from './embed.ts'

/**
 * One reply out of those to several requests: all embeddings, with their index over the whole run, and the sum of what was
 * used, where each reply tells it. The rest is the first one's.
 */
export function mergeReplies(batches: readonly EmbeddedBatch[]): JsonObject {
  const [first, ...others] = batches.map(({ whole }) => whole)
  if (!first) return {}
  const data = batches.flatMap(({ first, whole }) => whole.data.map((item, at) => ({ ...item, index: first + at })))
  if (others.length === 0) return { ...first, data }
  const { usage, ...rest } = first
  const sum = others.reduce<Json | undefined>((sum, other) => addUsage(sum, other.usage), usage)
  return { ...rest, data, ...(sum !== undefined && { usage: sum }) }
}

/** Numbers are added; anything else is as it was first told. */
function addUsage(sum: Json | undefined, usage: Json | undefined): Json | undefined {
  if (!isObject(sum) || !isObject(usage)) return undefined
  const added: JsonObject = { ...usage, ...sum }
  for (const [key, value] of Object.entries(usage)) {
    const before = sum[key]
    if (typeof before === 'number' && typeof value === 'number') added[key] = before + value
  }
  return added
}
