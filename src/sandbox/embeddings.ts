/** Embeddings without a model: hashes of words and word pairs, so that texts with common words are similar. */

import { embeddingsFields } from '../api/embeddings/fields.ts'
import type { Account } from './account.ts'
import { checkRequest, notAccepted, type Answer } from './endpoint.ts'
import { checkLength, sandboxModel } from './models.ts'
import { tokenCount, hash } from './tokens.ts'

const defaultDimensions = 768
const maxDimensions = 8192

/** `POST /openai/v1/embeddings`; does not count against the subscription (section 8). */
export async function answerEmbeddings(body: unknown, account: Account): Promise<Answer> {
  const request = await checkRequest(embeddingsFields, body)
  const { dimensions = defaultDimensions, encoding_format: encoding = 'float' } = request
  const model = sandboxModel(request.model as string, 'embedding')
  if (dimensions > maxDimensions) {
    throw notAccepted('$.dimensions', dimensions, `the sandbox returns at most ${maxDimensions}`)
  }
  if (encoding !== 'float' && encoding !== 'base64') {
    throw notAccepted('$.encoding_format', encoding, 'expected float, base64')
  }
  const texts = (typeof request.input === 'string' ? [request.input] : request.input) as string[]
  if (texts.length === 0) throw notAccepted('$.input', texts, 'expected at least one text')
  const lengths = texts.map(tokenCount)
  for (const [at, length] of lengths.entries()) checkLength(model, length, `$.input[${at}]: the text`)
  const data = texts.map((text, index) => {
    const vector = embedText(text, dimensions)
    // 32-bit floats, which OpenAI's own clients request.
    const encoded = (): string => Buffer.from(new Float32Array(vector).buffer).toString('base64')
    return { object: 'embedding', index, embedding: encoding === 'base64' ? encoded() : vector }
  })
  const promptTokens = lengths.reduce((sum, length) => sum + length, 0)
  account.charge(model.prices, { prompt: promptTokens })
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens }
  return { json: { object: 'list', data, model: model.servedAs, usage } }
}

/** @returns a vector of length 1. */
function embedText(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)
  const features = words.length === 0 ? [text] : words
  for (const feature of features) add(vector, `1 ${feature}`, 1)
  for (const [at, word] of words.slice(1).entries()) add(vector, `2 ${words[at]} ${word}`, 0.5)
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  // If all features cancel out, the direction is arbitrary, but the length must still be 1.
  if (length === 0) return vector.map((_, at) => (at === hash(text) % dimensions ? 1 : 0))
  return vector.map((value) => value / length)
}

// Two signed components per feature keep different texts apart even in few dimensions.
function add(vector: number[], feature: string, weight: number): void {
  for (const salt of ['a', 'b']) {
    const code = hash(`${salt}${feature}`)
    const at = (code >>> 1) % vector.length
    vector[at] = (vector[at] ?? 0) + ((code & 1) === 0 ? weight : -weight)
  }
}

/** Removes common English endings, so that `cats` matches `cat`. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(ing|ed|es|s)$/, '') : word.replace(/s$/, '')
}
