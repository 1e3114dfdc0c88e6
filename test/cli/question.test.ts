/** `syn "a question"` asks as `syn chat` does. */

import { expect, test } from 'vitest'
import { runSyn, type RunOptions } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'

async function asked(argv: string[], options: RunOptions = {}): Promise<unknown> {
  await using service = await startService(events(chatAnswer(['Hel', 'lo'])))
  const { code, out, err } = await runSyn(argv, { ...options, env: service.env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return { out, bodies: service.asked.map(({ path, json }) => [path, json]) }
}

test.each([['What is a monad?'], ["it's -m X --json"], ['help me with this']])('syn %j', async (question) => {
  expect(await asked([question])).toEqual(await asked(['chat', '--', question]))
})

test.each([[['--max-tokens', '9', 'chat about cats', 'again']], [['quota of whales, please']]])(
  'with options: syn %j',
  async (argv) => {
    expect(await asked(argv)).toEqual(await asked(['chat', ...argv]))
  },
)

test.each([
  [['foo', 'hello there'], 'unknown command "foo"'],
  [['-m', 'hf:a/b', 'hello'], 'option -m is not valid here'],
])('is refused: syn %j', async (argv, words) => {
  const { code, err } = await runSyn(argv)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`syn: ${words}`) })
})

test('standard input without a command is no reason to print help', async () => {
  expect(await runSyn([], { stdin: 'What is a monad?\n' })).toEqual({
    code: 2,
    out: '',
    err: 'syn: no command\nhint: to ask a model about standard input, use syn chat; syn --help lists the commands\n',
  })
})

test.each(['-h chat', '--sandbox --help config set'])('syn %s', async (line) => {
  const { code, out, err } = await runSyn(line.split(' '))
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('Usage: syn c')
})
