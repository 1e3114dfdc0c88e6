import { STATUS_CODES } from 'node:http'
import { isObject, parseJsonIfValid, stringsIn, type Json } from '../io/json.ts'

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
  if (Array.isArray(json)) return json.map(messageInJson).find((one) => one !== undefined)
  if (!isObject(json)) return undefined
  const { error, errors, detail, fault } = json
  if (isObject(error)) return messageInJson(error) ?? JSON.stringify(error)
  const text = stringsIn(messageKeys.map((key) => json[key] ?? '')).find((one) => one !== '')
  if (typeof error === 'string' && error !== '') return withClass(error, text)
  if (text !== undefined) return text
  if (Array.isArray(detail) && detail.length > 0) return detail.map(detailText).join('; ')
  if (typeof json.title === 'string' && json.title !== '') return json.title
  // Of Phoenix, Cloudflare, FastAPI behind others, and Apigee.
  return [errors, detail, fault]
    .filter(isContainer)
    .map(messageInJson)
    .find((one) => one !== undefined)
}

function isContainer(json: Json | undefined): json is Json {
  return isObject(json) || Array.isArray(json)
}

/** Of OpenAI and many others, RFC 9457, OAuth and Vapor, of ASP.NET, Rails and Apigee. */
const messageKeys = ['message', 'detail', 'error_description', 'reason', 'Message', 'exception', 'faultstring']

/** @param error A message of its own, the name of a class, or the title of the status, which is shown anyway. */
function withClass(error: string, message = ''): string {
  if (error.includes(message)) return error
  return message.includes(error) || titles.has(error) ? message : `${error}: ${message}`
}

const titles = new Set(Object.values(STATUS_CODES))

/** Whether the body of a reply is HTML. */
export function isWebPage(body: string): boolean {
  return body.trimStart().startsWith('<')
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
  if (!isWebPage(body)) return body.trim()
  const title = textOf(/<title\b[^>]*>(.*?)<\/title>/is.exec(body)?.[1] ?? '')
  const text = textOf(body.replace(/<(script|style|head|noscript)\b.*?<\/\1>/gis, ' '))
  const saysTitle = title.split(' ').every((word) => text.includes(word))
  if (text.split(' ').every((word) => title.includes(word))) return title
  return saysTitle ? text : [title, text].filter((part) => part !== '').join(': ')
}

function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Whether an error sent with status 200 is about the API key: its type and code are those of OpenAI, Anthropic and others. */
export function isAboutKey(text: string): boolean {
  const json = parseJsonIfValid(text)
  const error = isObject(json) && isObject(json.error) ? json.error : json
  if (!isObject(error)) return false
  return [error.code, error.type, error.status, error.status_code].some(
    (code) =>
      code === 401 ||
      (typeof code === 'string' && /^(401|invalid_api_key|authentication_error|unauthorized)$/i.test(code)),
  )
}

/** Errors sent with status 200 have no status: these words mark the ones that a retry may get past. */
export function isOverload(text: string): boolean {
  return /overloaded|Error from inference backend|rate.?limit/i.test(text)
}
