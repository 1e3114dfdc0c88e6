import { isObject, type Json, type JsonObject } from '../io/json.ts'

/** Texts that come once and not in pieces, however often they are repeated. */
const repeated = new Set(['role', 'id', 'type', 'name'])

/** Adds a chunk's part to what came before it: texts and arrays grow, objects merge, the rest is replaced. */
export function merge(whole: JsonObject, part: JsonObject): void {
  for (const [key, value] of Object.entries(part)) {
    // A key such as `constructor` or `__proto__` must not find, and change, what every object inherits.
    const before = Object.hasOwn(whole, key) ? whole[key] : undefined
    if (before === undefined || before === null) whole[key] = own(value)
    else if (value === null) continue
    else if (typeof value === 'string' && typeof before === 'string') {
      if (!repeated.has(key)) whole[key] = before + value
      else if (before === '') whole[key] = value
    } else if (Array.isArray(value) && Array.isArray(before)) before.push(...value)
    else if (isObject(value) && isObject(before)) merge(before, value)
    else whole[key] = value
  }
}

/** A copy to grow, so that the chunk stays as it came. */
function own(value: Json): Json {
  return typeof value === 'object' ? structuredClone(value) : value
}
