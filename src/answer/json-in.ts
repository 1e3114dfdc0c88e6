/** Finds the JSON in the text of an answer to a request for JSON. */

import { isObject, type JsonObject } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import { closings } from '../stream/spellings.ts'

/** Whether a request asks for JSON. */
export function asksForJson({ response_format: format }: JsonObject): boolean {
  return isObject(format) && (format.type === 'json_object' || format.type === 'json_schema')
}

const fence = /^ {0,3}(?:`{3,}|~{3,}).*$/m

/** The end of a marker that a service failed to take for one: `|>`, `p|>` or `ep|>` before an object or an array. */
const markerEnd = /^\s*[^\s{[]{0,2}\|>(?=\s*[{[])/

/** In characters: more than what leaks behind an answer. A longer text would take long to search. */
export const maxMarkers = 256

const closingMarkers = new RegExp(`(?:(?:${closings.map((one) => one.replaceAll('|', '\\|')).join('|')})\\s*)+$`)

/**
 * The JSON that a text is, or that is in its only fenced code block, or an object or array between markers; `undefined` if
 * there is none.
 */
export function jsonIn(text: string): string | undefined {
  // JSON has no line ends in its strings, and so no line that looks like a fence.
  const [, fenced, ...after] = text.split(fence)
  const bare = withoutMarkers(text)
  const parts = [
    text,
    ...(fenced === undefined || after.length > 1 ? [] : [fenced]),
    ...(/^[{[]/.test(bare) ? [bare] : []),
  ]
  return parts.find((part) => parseJsonIfValid(part) !== undefined)?.trim()
}

/** @param isStart Whether the text is the start of an answer. */
export function withoutMarkers(text: string, isStart = true): string {
  const rest = isStart ? text.replace(markerEnd, '').trim() : text
  return rest.slice(0, rest.length - markersBehind(rest).length)
}

function markersBehind(text: string): string {
  return closingMarkers.exec(text.slice(-maxMarkers))?.[0] ?? ''
}

/** What is left out of a text that has JSON: `before the JSON: p|>`. */
export function leftOut(text: string): string[] {
  const found = { before: markerEnd.exec(text)?.[0], behind: markersBehind(text) }
  return Object.entries(found).flatMap(([place, marker]) => (marker ? [`${place} the JSON: ${marker.trim()}`] : []))
}

/** Whether the text may still turn out to begin with a marker. */
export function mayBeMarker(start: string): boolean {
  return markerEnd.test(start) || /^\s*(?:[^\s{[]{0,3}|[^\s{[]{0,2}\|>\s*)$/.test(start)
}

/** Whether a text may still turn out to end in markers. @param end Its last `maxMarkers` characters. */
export function mayEndInMarkers(end: string): boolean {
  return /<(?:\|[\w|<>\s]*)?$/.test(end)
}
