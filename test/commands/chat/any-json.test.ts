/** No JSON from the user or the service causes an internal error. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runSyn } from '../../helpers/run-syn.ts'
import { startService } from '../../helpers/service.ts'
import { streamed } from '../../helpers/chat-chunks.ts'

/** JSON with the keys and values of the API, so that it passes the first checks. */
const words =
  'role content type text image_url url tool_calls tool_call_id function name arguments function_call json_schema ' +
  'schema messages model stop logit_bias choices delta index finish_reason usage logprobs token logprob error id ' +
  'refusal reasoning_content __proto__'
const word = fc.constantFrom(...words.split(' '))
const value = fc.constantFrom(
  'user',
  'assistant',
  'tool',
  'text',
  'image_url',
  'function',
  'stop',
  'hi',
  0,
  1,
  -1,
  null,
  true,
)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    value,
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(word, tie('json'), { maxKeys: 4 }),
  ),
}))

test.each([
  '--messages',
  '--body',
  '--tools',
  '--functions',
  '--tool-choice',
  '--function-call',
  '--response-format',
  '--logit-bias',
  '--schema',
])('%s: it is sent, or refused in one line', async (flag) => {
  await fc.assert(
    fc.asyncProperty(json, async (document) => {
      const isPath = flag === '--messages' || flag === '--body'
      const text = JSON.stringify(document)
      const argv = ['chat', flag, isPath ? '-' : text, '--dry-run', '-q', 'hi']
      const { code, err } = await runSyn(argv, isPath ? { stdin: text } : {})
      expect({ code, err }).toEqual(
        code === 0
          ? { code: 0, err: '' }
          : { code: 2, err: expect.stringMatching(/^syn: (?!internal).+\n(hint: .+\n)?$/) },
      )
    }),
    { numRuns: 50 },
  )
})

test('in the chunks of an answer: it is shown, or reported', async () => {
  let chunks: object[] = []
  await using service = await startService((asked, response) => streamed(...chunks)(asked, response))
  const choice = fc.record({
    index: fc.constantFrom(0, 1),
    delta: json,
    finish_reason: fc.constantFrom(null, 'stop', 'length'),
  })
  const chunk = fc.oneof(
    fc.dictionary(word, json, { maxKeys: 4 }),
    fc.record({ choices: fc.array(choice, { maxLength: 2 }) }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(chunk, { maxLength: 5 }),
      fc.constantFrom([], ['--json'], ['--jsonl'], ['-u']),
      async (answer, argv) => {
        chunks = answer
        const { err } = await runSyn(['chat', ...argv, '--retries', '0', 'hi'], { env: service.env })
        expect(err).not.toContain('internal error')
      },
    ),
    { numRuns: 200 },
  )
})
