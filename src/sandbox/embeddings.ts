import { embeddingsFields } from '../api/embeddings/fields.ts'
import type { Account } from './account.ts'
import { findModel } from './routing.ts'
import { Refusal } from './refusal.ts'
import type { Answer } from './endpoint.ts'
import { countTokens } from './tokens.ts'
import { checkRequest } from './validation.ts'
import { embedText } from './vectors.ts'

const defaultDimensions = 768
const mostDimensions = 8192

/** `POST /openai/v1/embeddings`; doesn't count against the subscription (section 8). */
export async function answerEmbeddings(body: unknown, account: Account): Promise<Answer> {
  const request = await checkRequest(embeddingsFields, body)
  const { dimensions = defaultDimensions, encoding_format: encoding = 'float' } = request
  const model = findModel(request.model as string, 'embedding')
  if (dimensions > mostDimensions) {
    throw new Refusal(400, `$.dimensions: ${dimensions} is not accepted; the sandbox gives at most ${mostDimensions}`)
  }
  if (encoding !== 'float' && encoding !== 'base64') {
    throw new Refusal(400, `$.encoding_format: ${JSON.stringify(encoding)} is not accepted; expected float, base64`)
  }
  const texts = (typeof request.input === 'string' ? [request.input] : request.input) as string[]
  if (texts.length === 0) throw new Refusal(400, '$.input: [] is not accepted; expected at least one text')
  const lengths = texts.map(countTokens)
  for (const [at, length] of lengths.entries()) {
    if (length > model.contextLength) throw tooLong(at, length, model.contextLength)
  }
  const data = texts.map((text, index) => {
    const vector = embedText(text, dimensions)
    return { object: 'embedding', index, embedding: encoding === 'base64' ? toBase64(vector) : vector }
  })
  const promptTokens = lengths.reduce((sum, length) => sum + length, 0)
  account.charge({ model, promptTokens, completionTokens: 0 })
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens }
  return { json: { object: 'list', data, model: model.servedAs, usage } }
}

/** Little-endian floats of 32 bits, which OpenAI's own clients ask for. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes.toString('base64')
}

function tooLong(at: number, length: number, longest: number): Refusal {
  const lengths = `(${length} tokens) is longer than the model's context length (${longest} tokens)`
  return new Refusal(400, `$.input[${at}]: the text ${lengths}.`)
}
