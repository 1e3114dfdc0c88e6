/** Documents that are nested too deep: exit 2, never an internal error. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { homeWith } from '../../settings/stored.ts'

const folder = emptyFolder()
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
const list = file('list.json', '['.repeat(20_000) + ']'.repeat(20_000))
const open = file('open.json', '['.repeat(2_000_000))
const escaped = file('escaped.json', `{"messages":[{"role":"user","content":${JSON.stringify('["\\'.repeat(2000))}}]}`)
const tooDeep = 'nested more than 500 levels deep'

describe('is refused', () => {
  test.each<[argv: string[], where: string]>([
    [['--body', open], `--body ${open}`],
    [['--schema', nested(2000)], '--schema'],
    [['--messages', list], `--messages ${list}`],
    [['--tools', `@${list}`], `--tools ${list}`],
  ])('%j', async (argv, where) => {
    const { code, out, err } = await runSyn(['chat', 'hi', '--dry-run', ...argv])
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: `syn: ${where}: ${tooDeep}\n` })
  })

  test('a line of JSON Lines', async () => {
    const stdin = `"one"\n${nested(20_000)}\n`
    const { code, err } = await runSyn(['embed', '--dry-run', '--input-format', 'jsonl', '-m', 'hf:a/b'], { stdin })
    expect({ code, err }).toEqual({ code: 2, err: `syn: standard input: ${tooDeep}\n` })
  })

  test('the config file', async () => {
    const { code, err } = await runSyn(['chat', 'hi'], { env: { HOME: homeWith(nested(20_000)) } })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(tooDeep) })
  })
})

describe('is accepted', () => {
  test.each([
    ['brackets in text', ['--body', escaped]],
    ['a body 500 levels deep', ['--body', file('body.json', `{"x":${nested(499)}}`)]],
    ['a schema 200 levels deep', ['--schema', file('schema.json', '{"items":'.repeat(199) + '{}' + '}'.repeat(199))]],
  ])('%s', async (_what, argv) => {
    const { code, err } = await runSyn(['chat', 'hi', '--dry-run', '-q', ...argv])
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/internal/) })
  })
})
