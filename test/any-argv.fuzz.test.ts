/** Any command line is run or refused, and never causes an internal error. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flagsOf } from '../src/completion/flag-candidates.ts'
import { anyCharacter } from './helpers/any-character.ts'
import { globalRows, nodes } from './helpers/commands.ts'
import { runSyn } from './helpers/run-syn.ts'
import { samples } from './helpers/samples.ts'
import { json, startService } from './helpers/service.ts'

/** Commands and flags that wait, run other programs, or write to any path. */
const leftOut = /^(login|sandbox|config( edit| set)?|)$/
const flagsLeftOut = /^(--output|-o|--wait|--rpm|--editor|--version|-V)$/

const node = fc.constantFrom(...nodes.filter(({ path }) => !leftOut.test(path)))
const values = ['hi', '', '0', '-1', '1e9', '0.5', '5%', '-', '@', '@/', '{', '{}', '[]', '[1]', 'a=1', 'a.0=x', '=']
const value = fc.oneof(
  fc.constantFrom(...values, 'hf:a/b', 'syn:large:text', 'true', 'tool:x', 'http://', '日本', '--', '\0', '\u001b[2J'),
  fc.string({ unit: anyCharacter, maxLength: 5 }),
)

const line = node.chain(({ path, specs }) => {
  const words = flagsOf({ ...specs, ...globalRows }).map(({ word }) => word)
  const names = words.filter((name) => !flagsLeftOut.test(name))
  const flag = fc.constantFrom(...names)
  const word = fc.oneof(
    flag,
    value,
    fc.tuple(flag, value).map(([one, other]) => `${one}=${other}`),
  )
  return fc.array(word, { maxLength: 6 }).map((words) => [...path.split(' '), ...words])
})

test('any words after a command', async () => {
  await using service = await startService(json({ error: 'no' }, 400))
  const input = fc.option(fc.string({ unit: anyCharacter, maxLength: 5 }), { nil: undefined })
  const property = fc.asyncProperty(line, input, fc.boolean(), async (argv, stdin, isTerminal) => {
    const options = { env: service.env, isTerminal, ...(stdin !== undefined && { stdin }) }
    const { code, err } = await runSyn(argv, options)
    expect(err).not.toContain('internal error')
    expect([0, 1, 2, 3, 4, 6], err).toContain(code)
    if (code > 1) expect(err).toMatch(/^syn: /m)
  })
  await fc.assert(property, samples(20))
})
