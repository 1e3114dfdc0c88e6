import { STATUS_CODES } from 'node:http'
import { ReportedError } from '../errors.ts'
import { isObject, stringsIn, type Json, type JsonObject } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import { bareText } from '../io/json/print.ts'

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
  if (Array.isArray(json)) {
    const errors = json.filter((one) => isObject(one) || typeof one === 'string')
    return errors.map(detailText).join('; ') || undefined
  }
  if (!isObject(json)) return undefined
  const { error, errors, detail, fault, base_resp: status } = json
  if (isObject(error)) return messageInJson(error) ?? JSON.stringify(error)
  const text = stringsIn(messageKeys.map((key) => json[key] ?? '')).find((one) => one !== '')
  if (typeof error === 'string' && error !== '') return withClass(error, text)
  if (text !== undefined) return text
  if (typeof json.title === 'string' && json.title !== '') return json.title
  // Phoenix and Cloudflare, FastAPI, Apigee, and MiniMax have these.
  return [errors, detail, fault, status]
    .filter((one) => isObject(one) || Array.isArray(one))
    .map(messageInJson)
    .find((one) => one !== undefined)
}

/**
 * The keys under which services send a message: OpenAI and many others, RFC 9457, OAuth and Vapor, ASP.NET, Rails, Apigee, MiniMax,
 * Python, and Qianfan.
 */
const messageKeys =
  `message detail error_description reason Message exception faultstring status_msg msg error_message error_msg`.split(
    ' ',
  )

/** @param error A message of its own, the name of a class, or the title of the status, which is shown anyway. */
function withClass(error: string, message = ''): string {
  if (error.includes(message)) return error
  return message.includes(error) || titles.has(error) ? message : `${error}: ${message}`
}

const titles = new Set(Object.values(STATUS_CODES))

export function isWebPage(body: string): boolean {
  return body.trimStart().startsWith('<')
}

/** One of several errors, such as Python's `{"loc":["body","model"],"msg":"field required"}`, with its place. */
function detailText(detail: Json): string {
  if (!isObject(detail)) return bareText(detail)
  const text = messageInJson(detail) ?? JSON.stringify(detail)
  const place = Array.isArray(detail.loc) ? detail.loc.map(bareText).join('.') : detail.field
  return typeof place === 'string' && place !== '' ? `${place}: ${text}` : text
}

function withoutMarkup(body: string): string {
  if (!isWebPage(body)) return body.trim()
  const title = htmlText(/<title\b[^>]*>(.*?)<\/title>/is.exec(body)?.[1] ?? '')
  const text = htmlText(body.replace(/<(script|style|head|noscript)\b.*?<\/\1>/gis, ' '))
  const saysTitle = title.split(' ').every((word) => text.includes(word))
  if (text.split(' ').every((word) => title.includes(word))) return title
  return saysTitle ? text : [title, text].filter((part) => part !== '').join(': ')
}

function htmlText(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w+));/gi, (entity, decimal?: string, hex?: string, name?: string) => {
      if (decimal ?? hex) return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16))
      return entities.get(name ?? '') ?? entity
    })
    .replace(/\s+/g, ' ')
    .trim()
}

const entities = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }))

/** The keys of replies that only say what went wrong. */
const complaintKeys = new Set(
  `code error error_code error_type errors object path request_id requestId status status_code statusCode success timestamp title type`
    .split(' ')
    .concat(messageKeys),
)

/** Whether an object in place of a record says what went wrong, and nothing else: `{"detail":"Not authenticated"}`. */
export function isComplaint(json: JsonObject): boolean {
  const keys = Object.keys(json).filter((key) => json[key] !== null)
  return keys.every((key) => complaintKeys.has(key)) && messageInJson(json) !== undefined
}

/** Errors sent with status 200 have no status: these words mark the ones that a retry may get past. */
export function isOverload(text: string): boolean {
  return /overloaded|Error from inference backend|rate.?limit/i.test(text)
}

/** An error sent with HTTP status 200. */
export function reportedError(text: string): ReportedError {
  return new ReportedError(serviceMessage(text), text, isOverload(text))
}
