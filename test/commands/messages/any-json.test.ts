/** Whatever JSON comes, from the user or from the service, it is never an internal error. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runSyn } from '../../helpers/run-syn.ts'
import { events, startService } from '../../helpers/service.ts'

/** JSON made of the words that mean something here, so that it gets past the first checks. */
const words =
  'role content type text thinking signature redacted_thinking image source media_type data url tool_use id name input ' +
  'tool_result tool_use_id is_error input_schema properties required index delta content_block message partial_json ' +
  'stop_reason usage input_tokens output_tokens error __proto__ constructor'
const types =
  'message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping text_delta ' +
  'thinking_delta signature_delta input_json_delta text thinking redacted_thinking tool_use message object user assistant'
const word = fc.constantFrom(...words.split(' '))
const type = fc.constantFrom(...types.split(' '))
const value = fc.oneof(type, fc.constantFrom('hi', '{', '{}', '', 0, 1, -1, 1e9, 0.5, null, true))
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    value,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(word, tie('json'), { maxKeys: 4 }),
  ),
}))

test.each(['--messages', '--body', '--tools', '--tool-choice'])(
  'given with %s it is sent or refused in one line',
  async (flag) => {
    await fc.assert(
      fc.asyncProperty(json, async (document) => {
        const isPath = flag === '--messages' || flag === '--body'
        const text = JSON.stringify(document)
        const argv = ['messages', flag, isPath ? '-' : text, '--dry-run', '-q', 'hi']
        const { code, err } = await runSyn(argv, isPath ? { stdin: text } : {})
        expect({ code, err }).toEqual(
          code === 0
            ? { code: 0, err: '' }
            : { code: 2, err: expect.stringMatching(/^syn: (?!internal).+\n(hint: .+\n)?$/) },
        )
      }),
      { numRuns: 50 },
    )
  },
)

test('as events of an answer it is shown or told', async () => {
  let sent = ''
  await using service = await startService((asked, response) => events(sent)(asked, response))
  const delta = fc.record({ type, text: json, thinking: json, signature: json, partial_json: json })
  const block = fc.record({ type, text: json, thinking: json, input: json, id: json, name: json })
  const event = fc.oneof(
    json,
    fc.record(
      { type, index: fc.oneof(fc.nat(2), json), delta, content_block: block, message: json, usage: json },
      { requiredKeys: ['type'] },
    ),
  )
  const form = fc.constantFrom([], ['--json'], ['--jsonl'], ['-u'], ['--reasoning'])
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 6 }), form, async (chunks, argv) => {
      sent = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
      const { err } = await runSyn(['messages', ...argv, '--retries', '0', 'hi'], { env: service.env })
      expect(err).not.toContain('internal error')
    }),
    { numRuns: 200 },
  )
})
