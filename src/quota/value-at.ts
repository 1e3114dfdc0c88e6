/** The value that `--get` names. */

import { FailedError } from '../errors.ts'
import type { Json, JsonObject } from '../io/json.ts'
import { suggestion } from '../fields/nearest.ts'
import { harmlessName } from '../io/harmless.ts'
import { nothingTold } from './choose-block.ts'

/**
 * @param path Keys parted by dots, such as `search.hourly.limit`; a key may hold dots itself.
 * @throws FailedError naming the keys that there are.
 */
export function valueAt(record: JsonObject, path: string): Json {
  const found = follow(record, path)
  if (found !== undefined) return found
  const paths = pathsIn(record)
  const beginning = paths.findLast((one) => path.startsWith(`${one}.`))
  const place = beginning === undefined ? record : (follow(record, beginning) ?? null)
  const keys = entriesOf(place).map(([key]) => harmlessName(key))
  const holder = beginning === undefined ? 'the quota' : harmlessName(beginning)
  const hint = keys.length > 0 ? `${holder} has ${keys.join(', ')}` : `${holder} has no keys`
  throw new FailedError(`--get: there is no ${path}${harmlessName(suggestion(path, paths))}`, {
    hint: paths.length > 0 ? hint : nothingTold(record),
  })
}

function follow(value: Json, path: string): Json | undefined {
  for (const [key, held] of entriesOf(value)) {
    if (key === path) return held
    const found = path.startsWith(`${key}.`) ? follow(held, path.slice(key.length + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Of objects and arrays at every depth, those further in later. */
function pathsIn(value: Json): string[] {
  return entriesOf(value).flatMap(([key, held]) => [key, ...pathsIn(held).map((path) => `${key}.${path}`)])
}

function entriesOf(value: Json): [string, Json][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
