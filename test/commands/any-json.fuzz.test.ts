/** Whatever the user gives or the service sends, it is sent, shown or refused: never an internal error. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestSamples } from '../helpers/command-lines.ts'
import { documentFlags } from '../helpers/commands.ts'
import { jsonOf } from '../helpers/random-json.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'
import { startService } from '../helpers/service.ts'

/** A chunk of a streamed answer. */
type ChunkOf = (json: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>

const ends = fc.constantFrom(null, 'stop', 'length')

/** Chunks with an outer shape: random JSON would hardly ever be an answer. */
const chunks: Partial<Readonly<Record<string, ChunkOf>>> = {
  chat: (json) => {
    const choice = fc.record({ index: fc.constantFrom(0, 1), delta: json, finish_reason: ends })
    return fc.record({ choices: fc.array(choice, { maxLength: 2 }) })
  },
  complete: (json) => {
    const values = { index: json, text: json, logprobs: json, finish_reason: ends }
    const choice = fc.record(values, { requiredKeys: ['finish_reason'] })
    return fc.record({ choices: fc.array(choice, { maxLength: 2 }) })
  },
  messages: (json) => {
    const event =
      'message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping'
    const kind = 'text thinking redacted_thinking tool_use text_delta thinking_delta signature_delta input_json_delta'
    const [events, kinds] = [event, kind].map((names) => fc.constantFrom(...names.split(' '))) as [
      fc.Arbitrary<string>,
      fc.Arbitrary<string>,
    ]
    const delta = fc.record({ type: kinds, text: json, thinking: json, signature: json, partial_json: json })
    const block = fc.record({ type: kinds, text: json, thinking: json, input: json, id: json, name: json })
    const index = fc.oneof(fc.nat(2), json)
    return fc.record(
      { type: events, index, delta, content_block: block, message: json, usage: json },
      { requiredKeys: ['type'] },
    )
  },
}

describe.each(requestSamples)('%s', (command, { argv, words, formats, params = [] }) => {
  const json = jsonOf(words)
  const chunk = chunks[command]
  const given = [...documentFlags(command), ...params.map((name) => `-p=${name}=`)]

  test.each(given)('given with %s it is sent or refused in one line', async (flag) => {
    await fc.assert(
      fc.asyncProperty(json, async (document) => {
        const text = JSON.stringify(document)
        const isPath = flag === '--messages' || flag === '--body'
        const [, short, key] = /^(-\w)=(.+)$/.exec(flag) ?? []
        const value = short === undefined ? [flag, isPath ? '-' : text] : [short, `${key}${text}`]
        const line = [command, ...value, '--dry-run', '-q', ...argv]
        const { code, err } = await runSyn(line, isPath ? { stdin: text } : {})
        expect({ code, err }).toEqual(
          code === 0
            ? { code: 0, err: '' }
            : { code: 2, err: expect.stringMatching(/^syn: (?!internal).+\n(hint: .+\n)?$/) },
        )
      }),
      samples(2),
    )
  })

  const events = fc.array(chunk ? fc.oneof(chunk(json), json) : json, { maxLength: 6 }).map((chunks) => ({
    type: 'text/event-stream',
    body: Buffer.from(chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')),
  }))
  const types = fc.constantFrom('text/event-stream', 'application/json', 'text/html', '')
  const whole = fc.record({ type: types, body: json.map((one) => Buffer.from(JSON.stringify(one))) })
  const pieces = fc.constantFrom('data: ', 'event: ', '{', '"', '[]', '}', ':', '\n', '\r', '\n\n', '\uFEFF', '[DONE]')
  const bytes = fc
    .array(fc.oneof(pieces.map(Buffer.from), fc.uint8Array({ maxLength: 8 })), { maxLength: 20 })
    .map((parts) => Buffer.concat(parts))
  const reply = fc.oneof(
    chunk ? { arbitrary: events, weight: 4 } : whole,
    whole,
    fc.record({ type: types, body: bytes }),
  )

  test('any reply is printed, or reported as an error', async () => {
    let sent: { type: string; body: Buffer; status: number } = { type: '', body: Buffer.of(), status: 200 }
    await using service = await startService((_asked, response) => {
      response.writeHead(sent.status, { 'content-type': sent.type }).end(sent.body)
    })
    const statuses = fc.constantFrom(200, 200, 200, 200, 400, 404, 429, 500, 529)
    const property = fc.asyncProperty(reply, statuses, fc.constantFrom(...formats), async (one, status, format) => {
      sent = { ...one, status }
      const { code, err } = await runSyn([command, ...format, '--retries', '0', ...argv], { env: service.env })
      expect([0, 1, 3, 4, 5, 6, 7, 8], err).toContain(code)
      expect(err).not.toContain('internal error')
    })
    await fc.assert(property, samples(8))
  })
})
