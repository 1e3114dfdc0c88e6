/** `syn batch` as a filter: one line for each row, in order, also for a row that failed. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { streamed } from '../helpers/chat-chunks.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService, type Answer } from '../helpers/service.ts'

/** Answers each prompt with itself, but refuses those with `bad`. */
const echo: Answer = (asked, response) => {
  if (asked.method === 'GET') return json({})(asked, response)
  const { messages } = asked.json as { messages: [{ content: string }] }
  const [{ content }] = messages
  const answer = content.includes('bad') ? json({ error: 'no' }, 400) : streamed(content)
  return answer(asked, response)
}

async function filter(argv: string[], stdin: string): Promise<{ code: number; out: string; err: string }> {
  await using service = await startService(echo)
  return await runSyn(['batch', ...argv], { env: service.env, stdin })
}

test.each<[argv: string[], stdin: string, out: string]>([
  [['--lines'], 'a\n\nbad\nb\n', 'a\n\n\nb\n'],
  [['--lines', '-t', '{{.}}\n{{.}}'], 'a\nbad\n', '"a\\na"\n\n'],
  [
    ['--input-format', 'csv', '-t', '{{x}}', '--format', 'csv', '--keep', 'x'],
    'x,y\na,1\nbad,2\n',
    'x,answer\na,a\nbad,\n',
  ],
  [
    ['--input-format', 'csv', '-t', '{{x}}', '--format', 'jsonl', '--keep', 'y'],
    'x,y\na,1\nbad,2\n',
    '{"y":"1","answer":"a"}\n{"y":"2","answer":null}\n',
  ],
])('%j of %j', async (argv, stdin, out) => {
  const outcome = await filter(argv, stdin)
  expect(outcome).toMatchObject({ code: 1, out })
  expect(outcome.err).toMatch(/^syn: standard input, line \d: .*no/m)
})

test('an invalid row stops a run that has sent nothing, and fails later', async () => {
  const invalid = '{"x":1}\n'
  const valid = '{"prompt":"a"}\n'
  const first = await filter([], invalid + valid)
  expect(first).toMatchObject({ code: 2, out: '' })
  expect(first.err).toContain('standard input, line 1: no "prompt" or "messages"')
  expect(await filter(['--skip-invalid'], invalid + valid)).toMatchObject({ code: 1, out: '\na\n' })
  expect(await filter([], valid + invalid)).toMatchObject({ code: 1, out: 'a\n\n' })
})

test('a custom_id that comes twice stops a pipe at its second row, and in a file nothing is sent', async () => {
  const rows = ['a', 'b', 'c'].map((prompt) => JSON.stringify({ custom_id: prompt === 'b' ? 'a' : prompt, prompt }))
  const text = rows.map((row) => `${row}\n`).join('')
  const message = /line 2: the custom_id "a" is that of line 1 already/
  const told = { err: expect.stringMatching(message) as string }
  expect(await filter([], text)).toMatchObject({ code: 2, out: 'a\n', ...told })
  expect(await filter(['--skip-invalid'], text)).toMatchObject({ code: 1, out: 'a\n\nc\n', ...told })
  const path = join(emptyFolder(), 'in.jsonl')
  writeFileSync(path, text)
  expect(await filter([path], '')).toMatchObject({ code: 2, out: '', ...told })
  expect(await filter([path, '--skip-invalid'], '')).toMatchObject({ code: 1, out: 'a\n\nc\n' })
})

test.each(['', '\n\n'])(
  'what arrived is printed when the run stops before a row ahead of it, and no more: %j',
  async (end) => {
    await using service = await startService((asked, response) => {
      if (asked.method === 'GET') return json({})(asked, response)
      const { messages } = asked.json as { messages: [{ content: string }] }
      const [{ content }] = messages
      if (content === 'wait') return json({ error: 'busy' }, 503, { 'retry-after': '60' })(asked, response)
      return (content === 'stop' ? json({ error: 'no credit' }, 402) : streamed(content))(asked, response)
    })
    const stdin = `a\nwait\nb\nstop\nc\n${end}`
    const run = (argv: string[]) => runSyn(['batch', '--lines', '--jobs', '1', ...argv], { env: service.env, stdin })
    const counted = expect.stringMatching(/^syn: 2 succeeded, 1 failed/m) as string
    expect(await run([])).toMatchObject({ code: 5, out: 'a\n\nb\n', err: counted })
    const { out } = await run(['--format', 'jsonl'])
    const rows = out.split('\n').slice(0, -1)
    expect(rows.map((row) => (JSON.parse(row) as { error: { code: string } | null }).error?.code)).toEqual([
      undefined,
      'stopped',
      undefined,
    ])
  },
)

test('--dry-run says how many requests there are, and shows the first three', async () => {
  const path = join(emptyFolder(), 'in.txt')
  for (const [count, text] of [
    [1, '1 request · about 5 tokens of prompts:'],
    [3, '3 requests · about 15 tokens of prompts:'],
    [4, '4 requests · about 20 tokens of prompts; the first 3:'],
  ] as const) {
    writeFileSync(path, 'a\n'.repeat(count))
    const { code, out, err } = await runSyn(['batch', path, '--dry-run'])
    expect(code).toBe(0)
    expect(err).toContain(`syn: ${text}\n`)
    expect(out.split('"content": "a"')).toHaveLength(Math.min(count, 3) + 1)
  }
})

test('--dry-run of a pipe refuses an invalid row, or leaves it out', async () => {
  const argv = ['batch', '--input-format', 'jsonl', '--dry-run']
  const stdin = '{"x":1}\n{"prompt":"a"}\n'
  expect(await runSyn(argv, { stdin })).toMatchObject({ code: 2, out: '' })
  const { code, out } = await runSyn([...argv, '--skip-invalid'], { stdin })
  expect({ code, body: JSON.parse(out) as unknown }).toMatchObject({ code: 0, body: { messages: [{ content: 'a' }] } })
})

test('a run that is stopped does not wait for the rest of a pipe', async () => {
  await using service = await startService(json({ error: 'Invalid API key.' }, 401))
  async function* stdin(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from('a\n')
    await new Promise(() => undefined)
  }
  expect(await runSyn(['batch', '--lines'], { env: service.env, stdin: stdin() })).toMatchObject({ code: 3 })
})
