/** The four forms of `prompt` (section 2.2). */

import { Refusal } from '../refusal.ts'
import { textOfTokens } from '../tokens.ts'

/** @returns the text of each prompt; token ids are read with the toy tokenizer. */
export function readPrompts(prompt: unknown): string[] {
  if (typeof prompt === 'string') return [prompt]
  const list = prompt as string[] | number[] | number[][]
  if (list.length === 0) throw new Refusal(400, '$.prompt: [] is not accepted; expected at least one prompt')
  return isTokens(list) ? [readTokens(list)] : list.map((item) => (typeof item === 'string' ? item : readTokens(item)))
}

function isTokens(list: string[] | number[] | number[][]): list is number[] {
  return typeof list[0] === 'number'
}

function readTokens(ids: readonly number[]): string {
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 0)
  if (wrong === undefined) return textOfTokens(ids)
  throw new Refusal(400, `$.prompt: ${wrong} is not accepted; expected token ids, which are whole numbers, at least 0`)
}
