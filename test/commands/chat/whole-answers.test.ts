/** Files, code and JSON need a whole answer: an empty one, or one cut off at the token limit, is an error and replaces nothing. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { delta, end, streamed } from '../../helpers/chat-chunks.ts'
import { end as completionEnd, streamed as completion } from '../../helpers/complete.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { startService, type Answer } from '../../helpers/service.ts'

const code = '```sh\nls'
const allow = 'use --allow-cut to take it as it is'
const raise = 'raise it with --max-tokens'

interface Run {
  code: number
  out: string
  err: string
  /** Names and contents. */
  files: Record<string, string>
}

/** Runs in a folder with the file `t.md`, which `-o t.md` names. */
async function ask(argv: readonly string[], answer: Answer): Promise<Run> {
  const folder = emptyFolder()
  writeFileSync(join(folder, 't.md'), 'OLD\n')
  await using service = await startService(answer)
  const words = argv.map((word) => (word === 't.md' ? join(folder, word) : word))
  const outcome = await runSyn([...words, 'hi'], { env: service.env })
  const err = outcome.err.replaceAll(`${folder}/`, '')
  const names = readdirSync(folder)
  return {
    ...outcome,
    err,
    files: Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
  }
}

const kept = `; the output so far is kept in t.md.partial`
const old = { 't.md': 'OLD\n' }
const length = streamed('Hel', end('length'))
const cut = 'was cut off at the token limit'
const spent = 'is empty: the reasoning used up the token limit'
const onlyReasoning = streamed(delta({ reasoning_content: 'Hm' }), end('length'))
const oneOfTwo = streamed(delta('a', 0), delta('b', 1), end('stop', 0), end('length', 1))

describe('exit 7', () => {
  const calling = delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"a' } }] })

  test.each<[what: string, argv: string[], answer: Answer, err: string, partial?: unknown]>([
    ['cut off', [], length, `the answer ${cut}\nhint: ${raise}; ${allow}${kept}`, 'Hel\n'],
    ['empty', [], onlyReasoning, `the answer ${spent}\nhint: ${raise}; ${allow}`],
    [
      'a refusal without text',
      [],
      streamed(delta({ refusal: 'No.' }), end()),
      `the answer is a refusal: No.\nhint: ${allow}`,
    ],
    ['one of two', ['--n', '2'], oneOfTwo, `answer 2 ${cut}\nhint: ${raise}; ${allow}${kept}`, 'a\n\nb\n'],
    [
      'a call of a tool',
      [],
      streamed(calling, end('length')),
      `the answer ${cut}\nhint: ${raise}; ${allow}${kept}`,
      expect.stringContaining('{"a'),
    ],
  ])('%s', async (_what, argv, answer, err, partial) => {
    expect(await ask(['chat', '-q', '--max-tokens', '5', '-o', 't.md', ...argv], answer)).toEqual({
      code: 7,
      out: '',
      err: `syn: ${err}\n`,
      files: { ...old, ...(partial !== undefined && { 't.md.partial': partial }) },
    })
  })

  test('-x prints no half of a code block, and the text to stderr', async () => {
    expect(await ask(['chat', '--max-tokens', '5', '-x'], streamed(code, end('length')))).toEqual({
      code: 7,
      out: '',
      err: `${code}\nsyn: the answer ${cut}\nhint: ${raise}; ${allow}\n`,
      files: old,
    })
  })

  test('in a pipe or a device that -o names, which has the text already', async () => {
    expect(await ask(['chat', '--max-tokens', '5', '-o', '/dev/null'], length)).toEqual({
      code: 7,
      out: '',
      err: `syn: the answer ${cut}\nhint: ${raise}; ${allow}\n`,
      files: old,
    })
  })

  test('without a limit, which may not be the cause', async () => {
    expect(await ask(['chat', '-o', 't.md'], length)).toMatchObject({
      code: 7,
      err:
        "syn: the answer was cut off: the model's context window is full, or the service limits answers\n" +
        `hint: shorten the prompt, or ask for more with --max-tokens; ${allow}${kept}\n`,
    })
  })
})

describe('exit 0', () => {
  test.each<[argv: string[], answer: Answer]>([
    [['-o', 't.md'], streamed('Hel', end('content_filter'))],
    [['-o', 't.md', '--jsonl'], length],
    [['-o', '-'], length],
    [['-o', '/dev/stdout'], length],
    [['--allow-cut', '-o', 't.md'], onlyReasoning],
    [['--allow-cut', '-x', '-o', 't.md'], streamed(code, end('length'))],
  ])('%j, %#', async (argv, answer) => {
    const { code: status, files } = await ask(['chat', '--max-tokens', '5', ...argv], answer)
    expect({ status, names: Object.keys(files) }).toEqual({ status: 0, names: ['t.md'] })
    if (argv.includes('t.md')) expect(files['t.md']).not.toBe('OLD\n')
  })

  test('a completion ends at its limit by nature: written, with a notice that -q hides', async () => {
    const answer = completion('Hel', completionEnd('length'))
    const argv = ['complete', '--max-tokens', '5', '-o', 't.md']
    expect(await ask(argv, answer)).toEqual({
      code: 0,
      out: '',
      err: `syn: the answer ${cut}; ${raise}\n`,
      files: { 't.md': 'Hel\n' },
    })
    expect(await ask(['-q', ...argv], answer)).toEqual({ code: 0, out: '', err: '', files: { 't.md': 'Hel\n' } })
  })
})

test('syn messages, too', async () => {
  const outcome = await ask(['messages', '--sandbox', '--max-tokens', '5', '-o', 't.md'], streamed(end()))
  expect(outcome).toMatchObject({ code: 7, files: old, err: expect.stringContaining(raise) as string })
})
