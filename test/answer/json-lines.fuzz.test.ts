/** The chunks of `--jsonl` are those of the service, byte for byte. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLinesPrinter } from '../../src/answer/printer.ts'
import { chat } from '../../src/api/chat/operation.ts'
import { readAnswer } from '../../src/stream/reply-decoder.ts'
import { samples } from '../helpers/samples.ts'

async function printed(chunks: readonly string[]): Promise<string> {
  let text = ''
  const write = (one: string | Uint8Array): Promise<void> => Promise.resolve(void (text += String(one)))
  const printer = jsonLinesPrinter({ isTerminal: false, columns: () => 80, write })
  const body = (async function* (): AsyncGenerator<Uint8Array> {
    for (const chunk of [...chunks, '[DONE]']) yield Buffer.from(`data: ${chunk}\n\n`)
  })()
  const options = { withChunks: true, choiceCount: 1 }
  for await (const deltas of readAnswer({ headers: {}, body }, chat.createAccumulator, options))
    await printer.print(deltas)
  return text
}

test('whatever their strings', async () => {
  const text = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a\\', '\\u007', '\u2028'))
  const property = fc.asyncProperty(fc.array(text, { minLength: 1 }), async (texts) => {
    const chunks = texts.map((content, at) =>
      JSON.stringify({ choices: [{ index: 0, delta: { content } }] }).replace('"index":0', `"index": 0, "n": ${at}.0`),
    )
    const end = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
    expect(await printed([...chunks, end])).toBe([...chunks, end, ''].join('\n'))
  })
  await fc.assert(property, samples(15))
})
