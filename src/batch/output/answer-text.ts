/** The text of an answer, by the shape of its body, and how it becomes one line. */

import {
  withExactNumbers,
  exactJson,
  isNonEmptyText,
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  parseJsonIfValid,
} from '../../io/json/json.ts'

/**
 * The text of an answer. Of several choices, their texts as a JSON array; of embeddings, the vector as JSON, or the array of
 * vectors. Without text, the tool calls as JSON. Empty for a failed row, whose body is `null`.
 */
export function answerText(body: Json): string {
  if (body === null) return ''
  if (!isObject(body)) return exactJson(body)
  const texts = choiceTexts(body)
  if (texts) return texts.length === 1 ? (texts[0] ?? '') : JSON.stringify(texts)
  if (Array.isArray(body.content)) return messageText(body.content)
  if (Array.isArray(body.data)) {
    const vectors = objectsIn(body.data).map(({ embedding = null }) => embedding)
    return exactJson(vectors.length === 1 ? (vectors[0] ?? null) : vectors)
  }
  return exactJson(body)
}

/** The text that a schema describes: that of the first choice. */
export function firstText(body: Json): string {
  return (isObject(body) ? choiceTexts(body)?.[0] : undefined) ?? answerText(body)
}

/** As one line: a text with line ends is printed as a JSON string. @param isJson Whether it is JSON, which needs no line ends. */
export function lineOf(text: string, isJson = false): string {
  if (!/[\n\r]/.test(text)) return text
  const json = isJson ? parseJsonIfValid(text) : undefined
  return json === undefined ? JSON.stringify(text) : exactJson(withExactNumbers(json, text))
}

function choiceTexts({ choices }: JsonObject): string[] | undefined {
  if (!Array.isArray(choices)) return undefined
  return objectsIn(choices).map(({ text, message }) => {
    if (!isObject(message)) return typeof text === 'string' ? text : ''
    const { content, refusal, tool_calls: calls } = message
    if (isNonEmptyText(content)) return content
    if (Array.isArray(content)) return joinTexts(content)
    return isNonEmptyText(refusal) ? refusal : Array.isArray(calls) && calls.length > 0 ? exactJson(calls) : ''
  })
}

function messageText(content: Json[]): string {
  const text = joinTexts(content)
  const calls = objectsIn(content).filter(({ type }) => type === 'tool_use')
  return text === '' && calls.length > 0 ? exactJson(calls) : text
}

function joinTexts(parts: Json[]): string {
  return objectsIn(parts)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
}
