/** Option combinations, `--json`, `-o`, and failures of the service. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printed, quota, record, refusalOf } from '../../helpers/quota.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json } from '../../helpers/service.ts'

test.each<[line: string, message: string]>([
  ['--remaining --json', '--json and --remaining cannot be combined'],
  ['--block=', '--block: "" is not accepted; expected keys separated by dots, such as search.hourly'],
  [
    '--json --block search.hourly',
    '--block cannot be combined with --json or --curl (for one block as JSON: syn quota --json | jq .search.hourly)',
  ],
])('syn quota %s is refused', async (line, message) => {
  expect(await refusalOf(line.split(' '))).toBe(message)
})

test('--json prints the whole reply: on one line in a pipe, indented and sanitized on a terminal', async () => {
  const answered = { ...record, new: { field: [1, null, 'é\u009b'] } }
  expect(await printed(['--json'], answered)).toBe(`${JSON.stringify(answered)}\n`)
  const shown = await printed(['--json'], answered, { isTerminal: true })
  expect(shown).toBe(`${JSON.stringify(answered, undefined, 2).replace('\u009b', String.raw`\u009b`)}\n`)
})

test('-o writes what a pipe would get, also at a terminal and with -q', async () => {
  const path = join(emptyFolder(), 'quota')
  expect(await printed(['--fail-below', '1', '-q', '-o', path], record, { isTerminal: true })).toBe('')
  expect(readFileSync(path, 'utf8')).toBe(await printed([]))
})

test('-o writes nothing when a value is not there', async () => {
  const folder = emptyFolder()
  const { code } = await quota(['--remaining', '--block', 'freeToolCalls', '-o', join(folder, 'quota')])
  expect({ code, files: readdirSync(folder) }).toEqual({ code: 1, files: [] })
})

test.each<[answered: unknown, status: number, code: number, message: string]>([
  [
    { error: 'bad key' },
    401,
    3,
    'bad key (401 Unauthorized)\nhint: check the API key, or use syn login to store another\n',
  ],
  [{ error: 'nothing here' }, 404, 4, 'hint: check the base URL'],
  [{ error: 'broken' }, 500, 6, 'broken (500 Internal Server Error)\n'],
  ['', 200, 6, 'the service sent an empty reply\n'],
  [[1], 200, 6, 'the reply is not a quota record: [1]\n'],
])('%j with status %i: exit %i', async (answered, status, code, message) => {
  for (const argv of [[], ['--json'], ['-q', '--fail-below', '1'], ['--wait']]) {
    const outcome = await quota([...argv, '--retries', '0'], { answer: json(answered, status) })
    expect(outcome).toMatchObject({ code, out: '', err: expect.stringMatching(/^syn: /) })
    expect(outcome.err).toContain(message)
  }
})
