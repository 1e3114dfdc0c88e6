/**
 * Schemas for a `prompt` array (section 2.2): texts, token ids, or lists of token ids. The first item decides which one
 * applies, so that the error for a wrong item fits.
 */

import * as v from 'valibot'

const tokenId = v.custom((id) => Number.isSafeInteger(id) && Number(id) >= 0, 'a token id: a whole number, at least 0')

/** One prompt of token ids, or several. */
export const promptTokens = tokenLists(v.pipe(v.array(tokenId), v.minLength(1, 'at least one token id')))

/** Any numbers, which the specification allows. */
const anyTokens = tokenLists(v.array(v.number()))

export const prompt = v.lazy((value) => {
  const first = firstOf(value)
  return typeof first === 'number' || Array.isArray(first) ? anyTokens : v.array(v.string())
})

function tokenLists(tokens: v.GenericSchema): v.GenericSchema {
  return v.lazy((value) => (Array.isArray(firstOf(value)) ? v.array(tokens) : tokens))
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}
