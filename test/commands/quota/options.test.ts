/** Option combinations, `--json`, `-o`, `--curl`, and failures of the service. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { printed, quota, record, refusalOf } from '../../helpers/quota.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { json, testKey } from '../../helpers/service.ts'

test.each<[line: string, message: string]>([
  ['--get a --remaining --json', '--json and --get and --remaining cannot be combined'],
  ['--strict', '--strict needs --fail-below or --wait'],
  ['--strict --watch', '--strict needs --fail-below or --wait'],
  ['--watch=0', '--watch: "0" is not accepted; expected a number, at least 1'],
  ['--watch 0.5', '--watch: "0.5" is not accepted; expected a number, at least 1'],
  ['--watch soon', '--watch: "soon" is not accepted; expected a number, at least 1'],
  ['--watch=', '--watch: "" is not accepted; expected a number, at least 1'],
  ['--get=', '--get: "" is not accepted; expected keys separated by dots, such as search.hourly'],
  ['--get .a', '--get: ".a" is not accepted; expected keys separated by dots, such as search.hourly'],
  ['--block a..b', '--block: "a..b" is not accepted; expected keys separated by dots, such as search.hourly'],
  [
    '--json --block search.hourly',
    '--block cannot be combined with --json, --get or --curl (use syn quota --get search.hourly for one block as JSON)',
  ],
  ['-o /nowhere/at/all', '--output: cannot write /nowhere/at/all: no such directory'],
  ['now', 'quota takes no arguments (see syn quota --help)'],
  ['--body x', 'unknown option --body (use syn quota --help to list the options)'],
  ['--watsh', 'unknown option --watsh (did you mean --watch?)'],
])('syn quota %s is refused', async (line, message) => {
  expect(await refusalOf(line.split(' '))).toBe(message)
})

describe('--json', () => {
  const answered = { ...record, new: { field: [1, null, 'é\u009b'] } }

  test('prints the whole reply: on one line in a pipe, indented and sanitized on a terminal', async () => {
    expect(await printed(['--json'], answered)).toBe(`${JSON.stringify(answered)}\n`)
    const shown = await printed(['--json'], answered, { isTerminal: true })
    expect(shown).toBe(`${JSON.stringify(answered, undefined, 2).replace('\u009b', String.raw`\u009b`)}\n`)
  })

  test('prints an empty object without a subscription', async () => {
    expect(await printed(['--json'], {})).toBe('{}\n')
  })
})

describe('-o', () => {
  test.each([[[]], [['--json']], [['--remaining']], [['--fail-below', '1', '-q']]])(
    'with %j writes what a pipe would get, also at a terminal',
    async (argv) => {
      const path = join(emptyFolder(), 'quota')
      const out = await printed(argv.filter((word) => word !== '-q'))
      expect(await printed([...argv, '-o', path], record, { isTerminal: true })).toBe('')
      expect(readFileSync(path, 'utf8')).toBe(out)
    },
  )

  test.each<[what: string, argv: string[], answer: unknown, status: number]>([
    ['the service fails', [], { error: 'no' }, 400],
    ['a value is not there', ['--get', 'nowhere'], record, 200],
  ])('writes nothing when %s', async (_what, argv, answered, status) => {
    const folder = emptyFolder()
    const { code } = await quota([...argv, '-o', join(folder, 'quota')], { answer: json(answered, status) })
    expect({ code, files: readdirSync(folder) }).toEqual({ code: 1, files: [] })
  })
})

describe('--curl', () => {
  test('needs neither key nor base URL, and sends nothing', async () => {
    expect(await runSyn(['quota', '--curl'])).toEqual({
      code: 0,
      out: 'curl -sS --no-buffer "$SYN_BASE_URL/v2/quotas" \\\n  -H "Authorization: Bearer $SYN_API_KEY"\n',
      err: 'syn: set SYN_BASE_URL and SYN_API_KEY to run this command\n',
    })
    const { out, asked } = await quota(['--curl'])
    expect(out).toMatch(/^curl -sS --no-buffer 'http:\/\/127\.0\.0\.1:\d+\/v2\/quotas' /)
    expect({ asked, hasKey: out.includes(testKey) }).toEqual({ asked: [], hasKey: false })
  })
})

test.each<[answered: unknown, status: number, code: number, message: string]>([
  [
    { error: 'bad key' },
    401,
    3,
    'bad key (401 Unauthorized)\nhint: check the API key, or use syn login to store another\n',
  ],
  [{ error: 'nothing here' }, 404, 4, 'hint: check the base URL'],
  [{ error: 'slow down' }, 429, 5, 'slow down (429 Too Many Requests)\n'],
  [{ error: 'broken' }, 500, 6, 'broken (500 Internal Server Error)\n'],
  ['<html><title>Edge</title></html>', 200, 6, 'the service sent a web page'],
  ['', 200, 6, 'the service sent an empty reply\n'],
  [[1], 200, 6, 'the reply is not a quota record: [1]\n'],
  ['null', 200, 6, 'the reply is not a quota record: null\n'],
])('%j with status %i: exit %i', async (answered, status, code, message) => {
  for (const argv of [[], ['--json'], ['-q', '--fail-below', '1'], ['--wait']]) {
    const outcome = await quota([...argv, '--retries', '0'], { answer: json(answered, status) })
    expect(outcome).toMatchObject({ code, out: '', err: expect.stringMatching(/^syn: /) })
    expect(outcome.err).toContain(message)
  }
})
