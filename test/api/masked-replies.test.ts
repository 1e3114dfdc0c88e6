/** However a reply writes the key, it is in nothing that a command prints or keeps. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leakIn, testKey } from '../helpers/canary.ts'
import { requestSamples } from '../helpers/command-lines.ts'
import { spellings } from '../helpers/key-spellings.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { chatEvents, events, json, startService, type Answer } from '../helpers/service.ts'
import { watchSyn } from '../helpers/watched-run.ts'

interface Row {
  readonly argv: readonly string[]
  readonly stdin?: string
  /** The status of the reply. */
  readonly status?: number
  /** The reply, or the events of a streamed one, with a key in place of KEY. */
  readonly reply: string | readonly string[]
  /** Whether the strings of the reply are printed with `--json` only. */
  readonly isSilent?: boolean
}

const chatHead = '"id":"KEY","model":"KEY"'
const end = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
const text = '{"KEY":"KEY","choices":[{"index":0,"text":"a KEY b","finish_reason":"stop"}]}'
const call = '"tool_calls":[{"index":0,"id":"KEY","type":"function","function":{"name":"KEY","arguments":"KEY"}}]'
const tokens = '"logprobs":{"content":[{"token":"KEY","logprob":-1}]}'
const blocks = [
  '{"type":"thinking","thinking":"KEY","signature":"KEY"}',
  '{"type":"text","text":"a KEY b"}',
  '{"type":"tool_use","id":"KEY","name":"KEY","input":{"KEY":"KEY"}}',
]

/** The events of one block of a message. */
function block(index: number, start: string, ...deltas: string[]): string[] {
  return [
    `{"type":"content_block_start","index":${index},"content_block":${start}}`,
    ...deltas.map((delta) => `{"type":"content_block_delta","index":${index},"delta":${delta}}`),
    `{"type":"content_block_stop","index":${index}}`,
  ]
}

const rows: Readonly<Record<string, Row>> = {
  chat: {
    argv: ['chat', 'hi'],
    reply: [
      `{${chatHead},"choices":[{"index":0,"delta":{"reasoning_content":"KEY"}}]}`,
      `{"choices":[{"index":0,"delta":{"content":"a KEY b"},${tokens}}]}`,
      `{"choices":[{"index":0,"delta":{"refusal":"KEY",${call}}}]}`,
      end,
    ],
  },
  'chat, not streamed': {
    argv: ['chat', 'hi', '--no-stream'],
    reply: `{${chatHead},"choices":[{"message":{"content":"a KEY b","reasoning":"KEY",${call}},${tokens}}],"KEY":"KEY"}`,
  },
  complete: { argv: ['complete', 'hi'], reply: [text] },
  'complete, not streamed': { argv: ['complete', 'hi', '--no-stream'], reply: text },
  messages: {
    argv: ['messages', 'hi'],
    reply: [
      '{"type":"message_start","message":{"id":"KEY","model":"KEY"}}',
      ...block(
        0,
        '{"type":"thinking","thinking":""}',
        '{"type":"thinking_delta","thinking":"KEY"}',
        '{"type":"signature_delta","signature":"KEY"}',
      ),
      ...block(1, '{"type":"text","text":""}', '{"type":"text_delta","text":"a KEY b"}'),
      ...block(2, '{"type":"tool_use","id":"KEY","name":"KEY"}', '{"type":"input_json_delta","partial_json":"KEY"}'),
      '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":"KEY"}}',
      '{"type":"message_stop"}',
    ],
  },
  'messages, not streamed': {
    argv: ['messages', 'hi', '--no-stream'],
    reply: `{"id":"KEY","model":"KEY","content":[${blocks.join()}],"stop_reason":"end_turn"}`,
  },
  models: { argv: ['models'], reply: '{"data":[{"id":"hf:KEY","name":"KEY","KEY":"KEY"}]}' },
  search: { argv: ['search', 'x'], reply: '{"results":[{"url":"https://x.example/KEY","title":"KEY","text":"KEY"}]}' },
  quota: { argv: ['quota'], reply: '{"KEY":{"limit":9,"requests":1,"renewsAt":"KEY"},"x":"KEY"}' },
  embed: {
    argv: ['embed', 'x', '-m', 'hf:x'],
    reply: '{"KEY":"KEY","data":[{"index":0,"embedding":[0.5,1],"object":"KEY"}],"model":"KEY"}',
    isSilent: true,
  },
  'count-tokens': { argv: ['count-tokens', 'x'], reply: '{"input_tokens":7,"KEY":"KEY"}', isSilent: true },
  batch: {
    argv: ['batch', '--lines'],
    stdin: 'hi\nyou\n',
    reply: [
      `{${chatHead},"choices":[{"index":0,"delta":{"reasoning_content":"KEY"}}]}`,
      `{"choices":[{"index":0,"delta":{"content":"a KEY b",${call}},${tokens}}]}`,
      end,
    ],
  },
  'batch, not streamed': {
    argv: ['batch', '--lines', '--no-stream'],
    stdin: 'hi\n',
    reply: `{${chatHead},"choices":[{"message":{"content":"a KEY b",${call}},${tokens}}],"KEY":"KEY"}`,
  },
  // Failed rows keep their journal.
  'batch, an error': {
    argv: ['batch', '--lines'],
    stdin: 'hi\n',
    status: 400,
    reply: '{"error":{"message":"wrong: KEY"}}',
  },
  'batch, an error in a stream': {
    argv: ['batch', '--lines'],
    stdin: 'hi\n',
    reply: ['{"error":{"message":"wrong: KEY"}}'],
  },
  'an error': { argv: ['search', 'x'], status: 400, reply: '{"error":{"message":"wrong: KEY"}}' },
  'an error of several parts': {
    argv: ['search', 'x'],
    status: 422,
    reply: '{"detail":[{"loc":["KEY"],"msg":"KEY"}]}',
  },
  'an error in a stream': { argv: ['chat', 'x'], reply: ['{"error":{"message":"wrong: KEY"}}'] },
  'an error with status 200': { argv: ['search', 'x'], reply: '{"error":"wrong: KEY"}' },
  'a reply of another type': { argv: ['count-tokens', 'x'], reply: '"KEY"' },
  'invalid JSON': { argv: ['search', 'x'], reply: '{"results":"KEY' },
  'a stream of invalid JSON': { argv: ['chat', 'x'], reply: ['{"choices":"KEY'] },
}

const allSpellings = Object.values(spellings).join(' ')

function answerOf({ reply, status = 200 }: Row): Answer {
  // A function: in a text, `$` would have a meaning.
  const withKey = (one: string): string => one.replaceAll('KEY', () => allSpellings)
  if (typeof reply === 'string') return json(withKey(reply), status)
  return events([...reply, '[DONE]'].map((one) => `data: ${withKey(one)}\n\n`).join(''))
}

/** Flags that change what is printed or kept, for a command. */
function outputsOf([command = '']: readonly string[]): string[][] {
  const formats = requestSamples.find(([name]) => name === command)?.[1].formats.flat() ?? []
  return [
    [],
    ['--debug'],
    ...(formats.includes('--json') ? [['--json']] : []),
    ...(formats.includes('--jsonl') ? [['--jsonl'], ['-o', 'FILE'], ['-x', '-o', 'FILE'], ['--reasoning']] : []),
    ...(command === 'chat' || command === 'complete'
      ? [['--logprobs', ...(command === 'chat' ? [] : ['1']), '--color']]
      : []),
    ...(command === 'chat'
      ? [
          ['--session', 'new'],
          ['--session', 'new', '--json'],
        ]
      : []),
    ...(command === 'batch'
      ? [
          ['-o', 'FILE'],
          ['-o', 'FILE', '--format', 'csv'],
          ['--format', 'jsonl'],
        ]
      : []),
    ...(command === 'embed' ? [['--usage'], ['-o', 'FILE']] : []),
  ]
}

/** The text of all files in a folder and the folders in it. */
function textOfFiles(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
}

describe.each(Object.entries(rows))('%s', (_name, row) => {
  test.each(outputsOf(row.argv).map((flags) => [flags.join(' '), flags] as const))('%s', async (_flags, flags) => {
    const home = emptyFolder()
    const argv = [...row.argv, '--retries', '0', ...flags.map((flag) => flag.replace('FILE', join(home, 'file')))]
    await using service = await startService(answerOf(row))
    const stdin = row.stdin === undefined ? {} : { stdin: row.stdin }
    const { out, err } = await runSyn(argv, { env: { ...service.env, HOME: home }, ...stdin })
    const all = out + err + textOfFiles(home)
    expect(leakIn(all)).toBeUndefined()
    expect(service.asked).not.toEqual([])
    if (!row.isSilent || flags.includes('--json')) expect(all).toContain('[key]')
    const documents = flags.includes('--json') ? [out] : flags.includes('--jsonl') ? out.split('\n') : []
    for (const one of documents) if (one !== '') expect(() => JSON.parse(one) as unknown).not.toThrow()
  })
})

test('an error that breaks off within the key', async () => {
  await using service = await startService((_asked, response) => {
    response.writeHead(400, { 'content-type': 'text/plain', 'content-length': 1000 })
    response.write(`wrong: ${testKey.slice(0, -4)}`, () => response.destroy())
  })
  const { code, err } = await runSyn(['search', 'x', '--retries', '0'], { env: service.env })
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('wrong: [key]') })
  expect(leakIn(err)).toBeUndefined()
})

/** Deltas of all kinds in turn, until each has come to its end. */
function inTurn(size: number, written: string): object[] {
  const pieces = written.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  return pieces.flatMap((content) => [
    { index: 0, delta: { content }, logprobs: { content: [{ token: content, logprob: -1 }] } },
    { index: 0, delta: { reasoning_content: content } },
    { index: 1, delta: { content } },
    { index: 0, delta: { tool_calls: [{ index: 0, function: { name: 'f', arguments: content } }] } },
    { index: 0, delta: { tool_calls: [{ index: 1, function: { name: 'g', arguments: content } }] } },
  ])
}

const pieceOutputs = outputsOf(['chat']).map((flags) => [flags.join(' '), flags] as const)

/** Each output with one size, and the plain one with all. */
const pieceSizes = [1, 5, 11]
const cutOutputs = [
  ...pieceSizes.map((size) => [size, '', []] as const),
  ...pieceOutputs.slice(1).map(([name, flags], at) => [pieceSizes[at % pieceSizes.length] ?? 1, name, flags] as const),
]

test.each(cutOutputs)('in pieces of %d, between other kinds of text and choices: %s', async (size, _name, flags) => {
  const home = emptyFolder()
  const written = `a ${spellings['with escapes only']} b ${testKey}.\n\`\`\`\n${testKey}\n\`\`\`\n`
  const ends = [0, 1].map((index) => ({ index, delta: {}, finish_reason: 'stop' }))
  const chunks = [...inTurn(size, written), ...ends].map((choice) => ({ choices: [choice] }))
  await using service = await startService(events(chatEvents(...chunks)))
  const argv = ['chat', 'hi', '--n', '2', ...flags.map((flag) => flag.replace('FILE', join(home, 'file')))]
  const { code, out, err } = await runSyn(argv, { env: { ...service.env, HOME: home } })
  expect(code).toBe(0)
  const all = out + err + textOfFiles(home)
  expect(leakIn(all)).toBeUndefined()
  expect(all).toContain('[key]')
})

test('a short start of a key is not lost when the answer breaks off', async () => {
  for (const flags of [[], ['--json'], ['--jsonl'], ['--session', 'new']]) {
    const home = emptyFolder()
    const start = testKey.slice(0, 7)
    const delta = {
      content: `a ${start}`,
      tool_calls: [{ index: 0, function: { name: 'f', arguments: `b ${start}` } }],
    }
    const answer = chatEvents({ choices: [{ index: 0, delta }] }).replace('data: [DONE]\n\n', '')
    await using service = await startService(events(answer))
    const argv = ['chat', 'hi', '--retries', '0', ...flags]
    const { code, out } = await runSyn(argv, { env: { ...service.env, HOME: home } })
    expect(code).toBe(7)
    const shown = out + textOfFiles(home)
    expect(shown).toContain(`a ${start}`)
    expect(shown).toContain(`b ${start}`)
  }
})

test.each([[[]], [['--jsonl']]])('nor when the run is stopped: %j', async (flags) => {
  const start = ` ${testKey.slice(0, 7)}`
  const contents = ['a b', start]
  const chunks = contents.map((content) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`)
  await using service = await startService((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunks.join(''))
  })
  const running = watchSyn(['chat', 'hi', ...flags], service.env)
  await running.written('a b')
  running.stop(new Error('stopped'))
  expect((await running.outcome).out).toContain(start)
})

test.each([
  ['an answer that ends', 'length'],
  ['an answer that breaks off', null],
])('most of a key at the end of %s is masked', async (_name, reason) => {
  const start = testKey.slice(0, -1)
  const delta = {
    content: `a ${start}`,
    tool_calls: [{ index: 0, function: { name: 'f', arguments: `b ${start}` } }],
  }
  const chunks = chatEvents({ choices: [{ index: 0, delta, finish_reason: reason }] })
  const answer = reason === null ? chunks.replace('data: [DONE]\n\n', '') : chunks
  const whole = { choices: [{ index: 0, message: delta, finish_reason: reason }] }
  await using service = await startService((asked, response) => {
    const isStream = (asked.json as { stream?: boolean } | undefined)?.stream === true
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
    response.end(isStream ? answer : JSON.stringify(whole))
  })
  for (const flags of pieceOutputs.flatMap(([, one]) => [one, [...one, '--no-stream']])) {
    const home = emptyFolder()
    const argv = ['chat', 'hi', ...flags.map((flag) => flag.replace('FILE', join(home, 'file')))]
    const { out } = await runSyn(argv, { env: { ...service.env, HOME: home } })
    const shown = out + textOfFiles(home)
    expect(leakIn(shown), flags.join(' ')).toBeUndefined()
    if (!flags.includes('-x')) expect(shown).toContain('a [key]')
  }
})

test('the cached model list', async () => {
  const home = emptyFolder()
  await using service = await startService(json(`{"data":[{"id":"hf:${spellings['with escapes only']}"}]}`))
  await runSyn(['models'], { env: { ...service.env, HOME: home } })
  expect(textOfFiles(home)).toContain('{"id":"hf:[key]"}')
})
