/** The recorded replies of a foreign server, through every command that they are for, in every output format. */

import { expect, test } from 'vitest'
import { recording, startForeignService } from '../helpers/foreign.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'

async function runOn(name: string, argv: string[]): Promise<Outcome> {
  await using service = await startForeignService([name])
  return await runSyn([...argv, '--retries', '0'], { env: service.env })
}

/** What a service sent in a stream: the JSON of its events. */
function chunksOf(name: string): string[] {
  const data = [...recording(name).body.matchAll(/^data: (\{.*)$/gm)]
  return data.map(([, json = '']) => json)
}

interface AnswerRow {
  readonly name: string
  readonly argv: string[]
  /** The output as text. */
  readonly text: string
  /** The start of the usage line. */
  readonly usage: string
  /** Part of the output with `--json`. */
  readonly json: object
}

const tiny = ['-m', 'hf:tiny/random']

const answers: AnswerRow[] = [
  {
    name: 'llama-chat-stream',
    argv: ['chat', ...tiny, 'Hello'],
    text: ' na na na were\n',
    usage: 'no token counts (the service sent none) · ',
    json: { object: 'chat.completion', choices: [{ message: { content: ' na na na were' }, finish_reason: 'length' }] },
  },
  {
    name: 'llama-chat-stream-usage',
    argv: ['chat', ...tiny, 'Hello'],
    text: ' na na na na\n',
    usage: '24 prompt (23 cached) + 4 completion tokens · ',
    json: { choices: [{ finish_reason: 'length' }], usage: { prompt_tokens: 24, completion_tokens: 4 }, timings: {} },
  },
  {
    name: 'llama-chat-stream-n3',
    argv: ['chat', ...tiny, '--n', '3', 'Hello'],
    text: ' na na na\n\n were sentence long\n\n na na na\n',
    usage: 'no token counts (the service sent none) · ',
    json: { choices: [{ index: 0 }, { index: 1 }, { index: 2 }] },
  },
  {
    name: 'llama-chat-whole-logprobs',
    argv: ['chat', ...tiny, '--logprobs', 'Hello'],
    text: ' na na\n',
    usage: '24 prompt (23 cached) + 2 completion tokens · ',
    json: { choices: [{ logprobs: { content: [{ token: ' na' }, { token: ' na' }] } }] },
  },
  {
    name: 'llama-complete-stream-logprobs',
    argv: ['complete', ...tiny, '--logprobs', '2', 'Once'],
    text: ' two out\n',
    usage: '4 prompt + 2 completion tokens · ',
    json: { object: 'text_completion', choices: [{ text: ' two out', logprobs: { content: [{}, {}] } }] },
  },
  {
    name: 'llama-complete-stream-two-prompts',
    argv: ['complete', ...tiny, '--prompt', 'The sky', '--prompt', 'The sea'],
    text: ' would mothe\n\n pic are\n',
    // Counted for each prompt.
    usage: '11 prompt + 4 completion tokens · ',
    json: {
      choices: [
        { index: 0, text: ' would mothe' },
        { index: 1, text: ' pic are' },
      ],
    },
  },
  {
    name: 'llama-messages-stream',
    argv: ['messages', ...tiny, 'Hello'],
    text: ' mov ver pic\n',
    usage: '30 prompt (6 cached) + 3 completion tokens · ',
    json: { content: [{ type: 'text', text: ' mov ver pic' }], stop_reason: 'max_tokens', usage: { input_tokens: 24 } },
  },
  {
    name: 'llama-messages-stream-cached',
    argv: ['chat', '--api', 'messages', ...tiny, 'Hello'],
    text: ' rou rou if\n',
    usage: '30 prompt (29 cached) + 3 completion tokens · ',
    json: {
      content: [{ text: ' rou rou if' }],
      usage: { input_tokens: 1, cache_read_input_tokens: 29, output_tokens: 3 },
    },
  },
]

/** Without the notices that a text is cut off, which most of these are. */
function others(err: string): string {
  return err.replaceAll(/^syn: .* was cut off.*\n/gm, '')
}

test.each(answers)('$name', async ({ name, argv, text, usage, json }) => {
  const { code, out, err } = await runOn(name, [...argv, '-q', '-u'])
  expect({ code, out, start: others(err).slice(0, 'syn: '.length + usage.length) }).toEqual({
    code: 0,
    out: text,
    start: `syn: ${usage}`,
  })
  const whole = await runOn(name, [...argv, '-q', '--json'])
  expect({ ...whole, out: JSON.parse(whole.out) as object }).toMatchObject({ code: 0, out: json, err: '' })
  const lines = await runOn(name, [...argv, '-q', '--jsonl'])
  const chunks = recording(name).contentType.includes('json') ? [recording(name).body.trim()] : chunksOf(name)
  expect({ code: lines.code, lines: lines.out.trimEnd().split('\n') }).toEqual({ code: 0, lines: chunks })
})

test.each<[name: string, argv: string[], out: RegExp, err: RegExp]>([
  ['llama-models', ['models'], /^hf:tiny\/random\t1024\t/, /^$/],
  ['llama-count-tokens', ['count-tokens', ...tiny, 'Hello'], /^24\n$/, /^$/],
  [
    'llama-embeddings',
    ['embed', '-m', 'hf:tiny/embed', '-u', 'a', 'b'],
    /^\{"index":0/,
    /^syn: 2 prompt tokens · 2 texts/,
  ],
  ['llama-embeddings', ['embed', '-m', 'hf:tiny/embed', '--json', 'a', 'b'], /"usage":\{"prompt_tokens":2/, /^$/],
])('%s: %j', async (name, argv, out, err) => {
  const outcome = await runOn(name, argv)
  expect(outcome).toEqual({ code: 0, out: expect.stringMatching(out), err: expect.stringMatching(err) })
})

test.each<[name: string, code: number, err: RegExp]>([
  ['llama-401', 3, /^syn: Invalid API Key \(401 Unauthorized\)\nhint: check the API key/],
  ['llama-400-context', 1, /^syn: request \(15019 tokens\) exceeds .*\nhint: use syn count-tokens /],
  ['llama-500-image', 6, /^syn: image input is not supported - hint: .* \(500 Internal Server Error\)\n$/],
])('%s', async (name, code, err) => {
  expect(await runOn(name, ['chat', ...tiny, 'Hello'])).toEqual({ code, out: '', err: expect.stringMatching(err) })
})
