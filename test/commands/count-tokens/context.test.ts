/** `--context`: the share of the model's context length. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { count } from '../../helpers/count-tokens.ts'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from '../../helpers/run-syn.ts'
import { json, startService, type Answer } from '../../helpers/service.ts'

const listed = json({
  data: [
    'a row of odd shape',
    { id: 'hf:org/model', context_length: 202_752 },
    { id: 'syn:large:text', hugging_face_id: 'org/model' },
    { id: 'syn:small:text', context_length: 1000 },
    { id: 'hf:org/silent' },
    // vLLM names the context length `max_model_len`.
    { id: 'hf:org/vllm', object: 'model', owned_by: 'vllm', root: 'org/vllm', parent: null, max_model_len: 4096 },
  ],
})

interface Asking extends RunOptions {
  models?: Answer
  tokens?: number
}

async function ask(argv: string[], { models = listed, tokens = 1234, ...options }: Asking = {}): Promise<Outcome> {
  await using service = await startService((asked, response) =>
    (asked.path.endsWith('/models') ? models : count(tokens))(asked, response),
  )
  return await runSyn(['count-tokens', '--context', ...argv], { ...options, env: service.env })
}

test.each<[argv: string[], tokens: number, out: string]>([
  [['hi'], 1234, '1234\t202752\t0.6086\tsyn:large:text\n'],
  [['-m', 'syn:small:text', 'hi'], 2000, '2000\t1000\t200\tsyn:small:text\n'],
  [['-m', 'hf:org/vllm', 'hi'], 1024, '1024\t4096\t25\thf:org/vllm\n'],
])('in a pipe: tokens, context length, percent and model, tab-separated: %j', async (argv, tokens, out) => {
  expect(await ask(argv, { tokens })).toEqual({ code: 0, out, err: '' })
})

describe('on a terminal', () => {
  const isTerminal = true
  test.each<[argv: string[], tokens: number, out: string]>([
    [['hi'], 1234, '1,234 tokens · 0.6% of 202,752 (syn:large:text)\n'],
    [['hi'], 1, '1 token · <0.1% of 202,752 (syn:large:text)\n'],
  ])('%j: %i tokens', async (argv, tokens, out) => {
    expect(await ask(argv, { tokens, isTerminal })).toEqual({ code: 0, out, err: '' })
  })
})

describe('of several files', () => {
  const folder = emptyFolder()
  const [first, second] = [join(folder, 'a.txt'), join(folder, 'b\u001b.txt')]
  for (const path of [first, second]) writeFileSync(path, 'text\n')
  const argv = ['-f', first, '-f', second]

  test('on a terminal, aligned', async () => {
    const { out } = await ask(argv, { isTerminal: true })
    expect(out.replaceAll(folder, 'FOLDER')).toBe(
      '1,234 0.6% FOLDER/a.txt\n1,234 0.6% FOLDER/b␛.txt\n2,468 1.2% total of 202,752 (syn:large:text)\n',
    )
  })
})

describe('unknown context length: the number only, and a notice', () => {
  const notice = (model: string): string => `syn: the context length of ${model} is unknown\n`

  test.each<[title: string, argv: string[], asking: Asking, model: string]>([
    ['no list', [], { models: json({ error: 'gone' }, 404) }, 'syn:large:text'],
  ])('%s', async (_title, argv, asking, model) => {
    expect(await ask([...argv, 'hi'], asking)).toEqual({ code: 0, out: '1234\n', err: notice(model) })
    expect(await ask([...argv, '-q', 'hi'], asking)).toEqual({ code: 0, out: '1234\n', err: '' })
  })
})
