/** Embeddings without a model: texts are similar if they share words. */

import { embeddingsFields } from '../api/embeddings/fields.ts'
import type { Account } from './account.ts'
import { checkRequest, notAccepted, type SandboxReply } from './endpoint.ts'
import { checkLength, sandboxModel, servedName } from './models.ts'
import { tokenCount, hash } from './tokens.ts'

const defaultDimensions = 768
const maxDimensions = 8192

/** `POST /openai/v1/embeddings`; does not count against the subscription (section 8). */
export async function answerEmbeddings(body: unknown, account: Account): Promise<SandboxReply> {
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
  account.charge(model, { prompt: promptTokens })
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens }
  return { json: { object: 'list', data, model: servedName(model), usage } }
}

/** @returns a vector of length 1: how often each word occurs, with the words spread over the dimensions. */
function embedText(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    const at = hash(word) % dimensions
    vector[at] = (vector[at] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
