import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** Enough for the longest context with images beside it. */
const largestBody = 32 * 1024 * 1024

/**
 * Reads a JSON body.
 * @throws Refusal: 413 when it is too large, 400 when it isn't JSON.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // Read to the end all the same: a client that is still writing would miss an early reply.
    if (size > largestBody) chunks.length = 0
    else chunks.push(chunk)
  }
  if (size > largestBody) throw new Refusal(413, `The body is larger than ${largestBody} bytes.`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch (error) {
    throw new Refusal(400, `The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
