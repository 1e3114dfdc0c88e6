/** Whatever JSON comes, from the user or from the service, it is never an internal error. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runSyn } from '../../helpers/run-syn.ts'
import { streamed } from '../../helpers/complete.ts'
import { startService } from '../../helpers/service.ts'

/** JSON made of the words that mean something here, so that it gets past the first checks. */
const words = 'prompt model n choices text index finish_reason logprobs tokens token_logprobs usage id error __proto__'
const word = fc.constantFrom(...words.split(' '))
const value = fc.constantFrom('stop', 'hi', '', 0, 1, 2, -1, null, true)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    value,
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(word, tie('json'), { maxKeys: 4 }),
  ),
}))

test.each<[title: string, argv: (text: string) => string[]]>([
  ['--body', () => ['--body', '-', 'hi']],
  ['--body without a prompt beside it', () => ['--body', '-']],
  ['--prompt-tokens', (text) => ['--prompt-tokens', text]],
  ['--param prompt', (text) => ['-p', `prompt=${text}`]],
  ['--param n', (text) => ['-p', `n=${text}`, 'hi']],
])('given with %s it is sent or refused in one line', async (_title, argv) => {
  await using service = await startService(streamed({ choices: [{ index: 1, text: 'a', finish_reason: 'stop' }] }))
  await fc.assert(
    fc.asyncProperty(json, async (document) => {
      const text = JSON.stringify(document)
      const { code, err } = await runSyn(['complete', '-q', ...argv(text)], { stdin: text, env: service.env })
      expect({ code, err }).toEqual(
        code === 0
          ? { code: 0, err: '' }
          : { code: 2, err: expect.stringMatching(/^syn: (?!internal).+\n(hint: .+\n)?$/) },
      )
    }),
    { numRuns: 50 },
  )
})

test('as chunks of an answer it is shown or told', async () => {
  let chunks: object[] = []
  await using service = await startService((asked, response) => streamed(...chunks)(asked, response))
  const choice = fc.record(
    { index: json, text: json, logprobs: json, finish_reason: fc.constantFrom(null, 'stop', 'length') },
    { requiredKeys: ['finish_reason'] },
  )
  const chunk = fc.oneof(
    fc.dictionary(word, json, { maxKeys: 4 }),
    fc.record({ choices: fc.array(choice, { maxLength: 2 }) }),
  )
  const forms = fc.constantFrom([], ['--json'], ['--jsonl'], ['-u'], ['--color', '--logprobs', '1'])
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 5 }), forms, async (answer, argv) => {
      chunks = answer
      const { err } = await runSyn(['complete', ...argv, '--retries', '0', 'hi'], { env: service.env })
      expect(err).not.toContain('internal error')
    }),
    { numRuns: 200 },
  )
})
