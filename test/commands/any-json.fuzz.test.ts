/** Whatever the user gives or the service sends, it is sent, shown or refused: never an internal error. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { operations, type OperationName } from '../../src/api/operations.ts'
import { jsonOf, type Words } from '../helpers/random-json.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'
import { startService } from '../helpers/service.ts'

interface Case {
  /** Arguments with which the command sends a request. */
  readonly argv: readonly string[]
  /** Keys and values that mean something here: JSON of them gets past the first checks. */
  readonly words: string
  /** The flags that take JSON; those that end in `=` have it behind them. */
  readonly given?: readonly string[]
  /** How a reply is shown. */
  readonly formats: readonly (readonly string[])[]
  /** A chunk of a streamed answer. */
  readonly chunk?: (json: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>
}

const answerFormats = [[], ['--json'], ['--jsonl'], ['-u']]
const ends = fc.constantFrom(null, 'stop', 'length')

const cases: Readonly<Record<OperationName, Case>> = {
  models: {
    argv: ['--refresh'],
    words: 'data id name context_length pricing prompt completion hugging_face_id input_modalities image',
    formats: [[], ['--json'], ['--ids'], ['--filter', 'x']],
  },
  chat: {
    argv: ['hi'],
    words:
      'role content type text image_url url tool_calls tool_call_id function name arguments function_call json_schema ' +
      'schema messages model stop logit_bias choices delta index finish_reason usage logprobs token logprob error id ' +
      'refusal reasoning_content user assistant tool',
    given: [
      '--messages',
      '--body',
      '--tools',
      '--functions',
      '--tool-choice',
      '--function-call',
      '--response-format',
      '--logit-bias',
      '--schema',
    ],
    formats: answerFormats,
    chunk: (json) => {
      const choice = fc.record({ index: fc.constantFrom(0, 1), delta: json, finish_reason: ends })
      return fc.record({ choices: fc.array(choice, { maxLength: 2 }) })
    },
  },
  completions: {
    argv: ['hi'],
    words: 'prompt model n choices text index finish_reason logprobs tokens token_logprobs usage id error stop',
    given: ['--body', '--prompt-tokens', '-p=prompt=', '-p=n='],
    formats: [...answerFormats, ['--color', '--logprobs', '1'], ['--n', '3']],
    chunk: (json) => {
      const values = { index: json, text: json, logprobs: json, finish_reason: ends }
      const choice = fc.record(values, { requiredKeys: ['finish_reason'] })
      return fc.record({ choices: fc.array(choice, { maxLength: 2 }) })
    },
  },
  embeddings: {
    argv: ['-m', 'hf:a/b', 'hi'],
    words: 'data index embedding usage prompt_tokens model object list error',
    given: ['--body', '-p=input='],
    formats: [[], ['--json'], ['--format', 'csv'], ['--compare', 'b'], ['-u']],
  },
  messages: {
    argv: ['hi'],
    words:
      'role content type text thinking signature redacted_thinking image source media_type data url tool_use id name ' +
      'input tool_result tool_use_id is_error input_schema properties required index delta content_block message ' +
      'partial_json stop_reason usage input_tokens output_tokens error message_start content_block_start user assistant ' +
      'content_block_delta content_block_stop message_delta message_stop ping text_delta thinking_delta object ' +
      'signature_delta input_json_delta',
    given: ['--messages', '--body', '--tools', '--tool-choice'],
    formats: [...answerFormats, ['--reasoning']],
    chunk: (json) => {
      const event =
        'message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping'
      const kind = 'text thinking redacted_thinking tool_use text_delta thinking_delta signature_delta input_json_delta'
      const [events, kinds] = [event, kind].map((names) => fc.constantFrom(...names.split(' '))) as [Words, Words]
      const delta = fc.record({ type: kinds, text: json, thinking: json, signature: json, partial_json: json })
      const block = fc.record({ type: kinds, text: json, thinking: json, input: json, id: json, name: json })
      const index = fc.oneof(fc.nat(2), json)
      return fc.record(
        { type: events, index, delta, content_block: block, message: json, usage: json },
        { requiredKeys: ['type'] },
      )
    },
  },
  countTokens: {
    argv: ['hi'],
    words: 'input_tokens messages role content type text system tools name input_schema user assistant',
    given: ['--messages', '--body', '--tools'],
    formats: [[], ['--json'], ['--context']],
  },
  quota: {
    argv: [],
    words: 'subscription search hourly limit requests renewsAt remaining max percentRemaining maxCredits $1.50',
    formats: [[], ['--json'], ['--fail-below', '10%'], ['--remaining']],
  },
  search: {
    argv: ['hi'],
    words: 'query results url title text highlights published error',
    given: ['--body'],
    formats: [[], ['--json'], ['--urls']],
  },
}

describe.each(Object.entries(cases) as [OperationName, Case][])(
  '%s',
  (name, { argv, words, given, formats, chunk }) => {
    const { command } = operations[name]
    const json = jsonOf(words)

    test.each(given ?? [])('given with %s it is sent or refused in one line', async (flag) => {
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
        samples(3),
      )
    })

    const events = fc.array(chunk ? fc.oneof(chunk(json), json) : json, { maxLength: 6 }).map((chunks) => ({
      type: 'text/event-stream',
      body: Buffer.from(chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')),
    }))
    const types = fc.constantFrom('text/event-stream', 'application/json', 'text/html', '')
    const whole = fc.record({ type: types, body: json.map((one) => Buffer.from(JSON.stringify(one))) })
    const pieces = fc.constantFrom(
      'data: ',
      'event: ',
      '{',
      '"',
      '[]',
      '}',
      ':',
      '\n',
      '\r',
      '\n\n',
      '\uFEFF',
      '[DONE]',
    )
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
  },
)
