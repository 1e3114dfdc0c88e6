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

/**
 * The JSON that a text is, or that is in its only fenced code block, or an object or array between markers; `undefined` if
 * there is none.
 */
export function jsonIn(text: string): string | undefined {
  // JSON has no line ends in its strings, and so no line that looks like a fence.
  const [, fenced, ...after] = text.split(fence)
  const parts = [text, ...(fenced === undefined || after.length > 1 ? [] : [fenced]), withoutMarkers(text)]
  return parts.find((part) => parseJsonIfValid(part) !== undefined)?.trim()
}

function withoutMarkers(text: string): string {
  let json = text.replace(markerEnd, '').trim()
  for (let closing: string | undefined = ''; closing !== undefined && /^[{[]/.test(json);) {
    json = json.slice(0, json.length - closing.length).trimEnd()
    closing = closings.find((one) => json.endsWith(one))
  }
  return json
}

/** The marker before the JSON of a text; `undefined` if there is none. */
export function markerBefore(text: string): string | undefined {
  return markerEnd.exec(text)?.[0].trim()
}

/** Whether the text may still turn out to begin with a marker. */
export function mayBeMarker(start: string): boolean {
  return markerEnd.test(start) || /^\s*(?:[^\s{[]{0,3}|[^\s{[]{0,2}\|>\s*)$/.test(start)
}
