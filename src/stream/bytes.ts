import { NetworkError } from '../errors.ts'

/** The longest reply that is held whole, in bytes. */
const longestWhole = 256 * 1024 * 1024

/** @throws NetworkError beyond 256 MiB. */
export async function readWhole(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > longestWhole) throw new NetworkError('the reply is longer than 256 MiB, which is more than is taken')
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
