/** Help and unknown commands. */

import { expect, test } from 'vitest'
import { packageVersion } from '../src/io/package.ts'
import { registry } from '../src/cli/registry.ts'
import { runSyn } from './helpers/run-syn.ts'

const program = 'A terminal client for one hosted model-inference API.\n'

test.each<[line: string, code: number, out: string, err: string]>([
  ['', 0, program, ''],
  ['--help', 0, program, ''],
  ['-h', 0, program, ''],
  ['help', 0, program, ''],
  ['--profile x --help', 0, program, ''],
  ['help chat', 0, 'Ask a model\n', ''],
  ['--help chat', 0, 'Ask a model\n', ''],
  ['chat --help', 0, 'Ask a model\n', ''],
  ['chat some words -h', 0, 'Ask a model\n', ''],
  ['config get --help', 0, 'Print the value of a setting\n', ''],
  ['--version', 0, `${packageVersion()}\n`, ''],
  ['-V', 0, `${packageVersion()}\n`, ''],
  ['nonsense', 2, '', 'syn: unknown command "nonsense"\nhint: syn --help lists the commands\n'],
  ['nonsense --help', 2, '', 'syn: unknown command "nonsense"'],
  ['help nonsense', 2, '', 'syn: unknown command "nonsense"'],
  ['caht', 2, '', 'syn: unknown command "caht" (did you mean chat?)'],
])('syn %s', async (line, code, out, err) => {
  const outcome = await runSyn(line.split(' ').filter(Boolean))
  expect(outcome.code).toBe(code)
  expect(outcome.out.startsWith(out)).toBe(true)
  expect(outcome.out === '').toBe(out === '')
  expect(outcome.err).toContain(err)
  expect(outcome.err === '').toBe(err === '')
})

test('the program lists every command with its summary', async () => {
  const { out } = await runSyn(['--help'], { columns: 200 })
  for (const { name, summary } of registry) expect(out).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'))
})

test.each([40, 80, 200])(
  'no line is wider than a terminal of %i columns, except unbreakable words',
  async (columns) => {
    const { out } = await runSyn(['chat', '--help'], { columns })
    const examples = out.indexOf('\nExamples:')
    const wide = out
      .slice(0, examples)
      .split('\n')
      .filter((line) => line.length > columns)
    // A flag's own term or a single word can't be broken.
    expect(wide.filter((line) => !/^ +(-\w, )?--\S+|^ *\S+$/.test(line))).toEqual([])
  },
)
