import { isObject, parseJsonIfValid, type Json } from '../io/json.ts'

/** How much of a text that is not JSON is shown, in characters. */
const longestText = 400

/** How much of a page is searched for what it says: the expressions below are slow on texts made to be so. */
const longestPage = 16_384

/**
 * What the service says of a failure, whole. Bodies come in many shapes: a plain string, OpenAI's and Anthropic's error
 * objects, `message`, `detail`, HTML from an edge, or nothing.
 * @returns an empty string when the body says nothing.
 */
export function serviceMessage(body: string): string {
  const json = parseJsonIfValid(body)
  if (json !== undefined) return messageInJson(json) ?? body.trim().slice(0, longestText)
  return withoutMarkup(body.slice(0, longestPage)).slice(0, longestText)
}

/** The message of an error that came as JSON, or nothing when it has none. */
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
