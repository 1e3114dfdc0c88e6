import { NetworkError } from '../errors.ts'

const mebibyte = 1024 * 1024

/**
 * @param longest In bytes; 256 MiB where nothing less is known to be enough.
 * @throws NetworkError beyond that.
 */
export async function readWhole(bytes: AsyncIterable<Uint8Array>, longest = 256 * mebibyte): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > longest) {
      throw new NetworkError(`the reply is longer than ${longest / mebibyte} MiB, which is more than is taken`)
    }
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
