/** A field that only another request has, and a word that only other services accept: the error shows how to send it. */

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'

type Sent = Record<string, unknown>

function asShellReads(word: string): string {
  return execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })
}

test.each<[argv: string[], error: string, param: string, sent: Sent]>([
  [['complete', '--seed', '1'], 'unknown option --seed', 'seed=1', { seed: 1 }],
  [['complete', '--seed=-1'], 'unknown option --seed', 'seed=-1', { seed: -1 }],
  [
    ['complete', '--no-parallel-tool-calls'],
    'unknown option --no-parallel-tool-calls',
    'parallel_tool_calls=false',
    { parallel_tool_calls: false },
  ],
  [
    ['complete', '--tool-choice', 'tool:it'],
    'unknown option --tool-choice',
    `'tool_choice={"type":"function","function":{"name":"it"}}'`,
    { tool_choice: { type: 'function', function: { name: 'it' } } },
  ],
  [
    ['complete', '--response-format', '{"type":"text"}'],
    'unknown option --response-format',
    `'response_format={"type":"text"}'`,
    { response_format: { type: 'text' } },
  ],
  [['complete', '--stop-sequences', 'a'], 'unknown option --stop-sequences (did you mean --stop?)', '', {}],
  [['complete', '--top-logprobs', '2'], 'unknown option --top-logprobs (did you mean --logprobs?)', '', {}],
  [['messages', '--user', '5'], 'unknown option --user', `'user="5"'`, { user: '5' }],
  [['messages', '--user', "it's"], 'unknown option --user', String.raw`'user=it'\''s'`, { user: "it's" }],
  [['messages', '--n', '2'], 'unknown option --n', 'n=2', { n: 2 }],
  [['embed', '--seed', '1'], 'unknown option --seed', 'seed=1', { seed: 1 }],
  [
    ['chat', '--api', 'messages', '--seed', '1'],
    '--seed needs --api chat; with --api messages there is no such field',
    'seed=1',
    { seed: 1 },
  ],
  [
    ['chat', '--tool-choice', 'required'],
    '--tool-choice: "required" is not accepted; expected auto, none, tool:NAME, a JSON object or a file',
    'tool_choice=required',
    { tool_choice: 'required' },
  ],
])('%j', async (argv, error, param, sent) => {
  const [command = ''] = argv
  const model = command === 'embed' ? ['-m', 'hf:a/b'] : []
  const hint = param === '' ? '' : `hint: use -p ${param} to send it unchecked\n`
  expect(await runSyn([...argv, ...model, 'hi'])).toEqual({ code: 2, out: '', err: `syn: ${error}\n${hint}` })
  if (param === '') return
  const { code, out } = await runSyn([command, '--dry-run', '-p', asShellReads(param), ...model, 'hi'])
  expect({ code, sent: JSON.parse(out) as unknown }).toMatchObject({ code: 0, sent })
})

test.each<[argv: string[], hint: string]>([
  // A value of another type, or none.
  [['complete', '--seed', 'hi'], '-p seed=N'],
  [['complete', 'hi', '--seed'], '-p seed=N'],
  [['complete', '--tools', '@tools.json', 'hi'], '-p tools=JSON'],
  // No field of a request to a model, or one that is deliberately not sent.
  [['search', '--seed', '1', 'hi'], 'syn search --help'],
  [['count-tokens', '--max-tokens', '1', 'hi'], 'syn count-tokens --help'],
  [['complete', '--input', 'hi'], 'syn complete --help'],
  [['complete', '--sede', '1', 'hi'], 'syn complete --help'],
])('%j', async (argv, hint) => {
  const { code, err } = await runSyn(argv)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`\nhint: use ${hint} to `) })
})

test('a typo gets no such hint', async () => {
  const { err } = await runSyn(['chat', '--tool-choice', 'atuo', 'hi'])
  expect(err).toMatch(/\(did you mean auto\?\)\n$/)
})
