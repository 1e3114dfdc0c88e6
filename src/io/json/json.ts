/** JSON: its types, and what is found in values of unknown shape. */

export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The list that a reply is, or has at a key, unchecked; `undefined` if there is none. */
export function listIn(reply: Json, key: string): Json[] | undefined {
  const list = isObject(reply) ? reply[key] : reply
  return Array.isArray(list) ? list : undefined
}

/** The objects in an array; other elements are skipped. `[]` for anything but an array. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The strings in an array; other elements are skipped. `[]` for anything but an array. */
export function stringsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Whether a value is a string that is not empty: services send empty strings for missing values. */
export function isNonEmptyText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

/** The `index` of an element of a list. Some services send it as text. */
export function indexOf({ index }: JsonObject): number | undefined {
  if (typeof index === 'string' && /^\d+$/.test(index)) return Number(index)
  return typeof index === 'number' ? index : undefined
}

/** @returns a number, or a numeric string with or without `$`, as text without `$`; `undefined` for anything else. */
export function decimalText(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim().replace(/^\$/, '')
  const digits = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  return digits !== '' && Number.isFinite(Number(digits)) ? digits : undefined
}

/** The size in bytes of all strings in a value, which is nearly that of its JSON. */
export function textSize(value: Json): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + textSize(inner), 0)
}
