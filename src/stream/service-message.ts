import { isObject, parseJsonIfValid, type Json } from '../io/json.ts'

/** How much is shown of a text that is not JSON, in characters. */
const maxTextLength = 400

/** How much is shown of a message in JSON, in characters: an event may have 16 MiB. */
const maxMessageLength = 64 * 1024

/** How much of a web page is searched for text: a hostile page could make the expressions below slow. */
const maxPageLength = 16_384

/**
 * The message in the body of an error reply. Bodies come in many shapes: a plain string, OpenAI's and Anthropic's error
 * objects, `message`, `detail`, HTML from a proxy, or nothing.
 * @returns an empty string when the body has no message.
 */
export function serviceMessage(body: string): string {
  const json = parseJsonIfValid(body)
  if (json !== undefined) return messageInJson(json)?.slice(0, maxMessageLength) ?? body.trim().slice(0, maxTextLength)
  return withoutMarkup(body.slice(0, maxPageLength)).slice(0, maxTextLength)
}

/** The message in an error reply's JSON. @returns `undefined` when there is none. */
export function messageInJson(json: Json): string | undefined {
  if (typeof json === 'string') return json || undefined
  if (!isObject(json)) return undefined
  const { error, message, detail } = json
  if (typeof error === 'string' && error !== '') return error
  if (isObject(error)) return messageInJson(error) ?? JSON.stringify(error)
  if (typeof message === 'string' && message !== '') return message
  if (typeof detail === 'string' && detail !== '') return detail
  if (Array.isArray(detail) && detail.length > 0) return detail.map(detailText).join('; ')
  return undefined
}

/** Validation errors of Python services: `{"loc":["body","model"],"msg":"field required"}`. */
function detailText(detail: Json): string {
  if (!isObject(detail)) return plain(detail)
  const text = messageInJson(detail) ?? (typeof detail.msg === 'string' ? detail.msg : JSON.stringify(detail))
  return Array.isArray(detail.loc) ? `${detail.loc.map(plain).join('.')}: ${text}` : text
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function withoutMarkup(body: string): string {
  if (!body.trimStart().startsWith('<')) return body.trim()
  return body
    .replace(/<(script|style|head)\b.*?<\/\1>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Errors sent with status 200 have no status: these words mark the ones that a retry may get past. */
export function isOverload(text: string): boolean {
  return /overloaded|Error from inference backend|rate.?limit/i.test(text)
}
