import { UsageError } from '../errors.ts'

export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Parses JSON that a person wrote.
 * @param where Names the text in the error: a flag, or a file and perhaps a line.
 * @throws UsageError with line and column of the first mistake.
 */
export function parseJson(text: string, where: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${where}: not valid JSON${placeOf(reason, text)}: ${withoutPlace(reason)}`)
  }
}

// V8 tells the offset only in words: "… in JSON at position 12" (with "(line 1 column 13)" after it from Node 22 on).
function placeOf(reason: string, text: string): string {
  const offset = /at position (\d+)/.exec(reason)?.[1]
  const before = text.slice(0, offset === undefined ? text.length : Number(offset))
  const lines = before.split('\n')
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

function withoutPlace(reason: string): string {
  return reason.replace(/(?: in JSON)? at position \d+.*$/s, '').replace(/, ".*" is not valid JSON$/s, '')
}

/** `['messages', 0, 'role']` → `$.messages[0].role` */
export function jsonPath(path: readonly (string | number)[]): string {
  let text = '$'
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[A-Za-z_]\w*$/.test(step)) text += `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text
}

/** How a value is quoted in an error: as JSON, shortened. */
export function quote(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
