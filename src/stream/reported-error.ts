/**
 * Errors that a service reports in a reply with status 200, and the status that they name. Apart from service-message.ts, which
 * loads node:http: a preview loads this file.
 */

import { isObject, type Json } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'

/** Whether JSON in place of an answer is an error: that of Anthropic, of vLLM, or of most others. */
export function reportsError(json: Json): boolean {
  // Gemini sends an array.
  if (Array.isArray(json)) return json.some((one) => isObject(one) && isObject(one.error))
  return isObject(json) && (json.type === 'error' || json.object === 'error' || isError(json.error))
}

/** Whether the value of `error` is one: some services add an empty one, or `{"code":0,"message":"success"}`, to each reply. */
export function isError(error: Json | undefined): boolean {
  if (!isObject(error)) return saysAnything(error)
  return error.code !== 0 && error.code !== '0' && Object.values(error).some(saysAnything)
}

/** Whether a value is not empty, zero or false. */
function saysAnything(value: Json | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

/** Words of errors of OpenAI, Anthropic, Google and others, by the status with which they are sent elsewhere. */
const statusWords: readonly (readonly [number, RegExp])[] = [
  [401, /^(invalid_api_key|authentication_?error|unauthorized|unauthenticated)$/i],
  [402, /^(insufficient_quota|billing_error|payment_required)$/i],
  [403, /^(permission_?error|permission_denied|forbidden)$/i],
  [404, /^(not_?found_?error|model_not_found|not_found)$/i],
  [413, /^request_too_large$/i],
  [429, /^(rate_?limit_?(exceeded|error)|too_many_requests|resource_exhausted)$/i],
  [
    400,
    /^(context_length_exceeded|exceed_context_size_error|content_filter|bad_?request_?error|invalid_request_error)$/i,
  ],
]

/** The status that an error sent with status 200 names; `undefined` if it names none. */
export function reportedStatus(text: string): number | undefined {
  const words = errorWords(text)
  const number = words.map(Number).find((code) => code >= 400 && code < 600)
  const texts = words.filter((word) => typeof word === 'string')
  return number ?? texts.flatMap((word) => statusWords.find(([, pattern]) => pattern.test(word))?.[0] ?? [])[0]
}

/** Whether an error says, by its code, its type or its message, that quota or credit is used up, whatever its status is. */
export function saysUsedUp(text: string, message: string): boolean {
  return [...errorWords(text), message].some((word) => typeof word === 'string' && usedUpWords.test(word))
}

/** The words of OpenAI and many others, DeepSeek and Z.ai. */
const usedUpWords = /insufficient[_ ](quota|credits?|balance)\b/i

/** The values of an error that may name its kind. */
function errorWords(text: string): (Json | undefined)[] {
  const json = parseJsonIfValid(text)
  const first = (Array.isArray(json) ? json.find(reportsError) : json) ?? null
  const [nested] = isObject(first) ? [first.error, first.errors].flat().filter(isObject) : []
  const error = nested ?? first
  return isObject(error) ? [error.code, error.status, error.status_code, error.type, error.error] : []
}
