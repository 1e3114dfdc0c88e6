/** An option in place of another one's value, or twice. */

import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'

test.each([
  ['chat --session --dry-run hi', '--session', '--dry-run'],
  ['chat -s --no-stream hi', '--system', '--no-stream'],
  ['chat --profile --sandbox hi', '--profile', '--sandbox'],
])('syn %s', async (line, flag, value) => {
  await using service = await startService(events(chatAnswer(['Hello'])))
  expect(await runSyn(line.split(' '), { env: service.env })).toEqual({
    code: 2,
    out: '',
    err: `syn: ${flag}: missing value before ${value}\nhint: if ${value} is the value, write ${flag}=${value}\n`,
  })
  expect(service.asked).toEqual([])
})

test.each([
  [['--system=--json'], '--json'],
  [['--system', '--json or not?'], '--json or not?'],
])('%j is taken', async (argv, content) => {
  await using service = await startService(events(chatAnswer(['Hello'])))
  const { code } = await runSyn(['chat', ...argv, 'hi'], { env: service.env })
  expect(code).toBe(0)
  expect(service.asked[0]?.json).toMatchObject({ messages: [{ role: 'system', content }, { role: 'user' }] })
})

test.each(['chat -ta --template=b hi', 'batch --lines -t a -t @b'])('syn %s is refused', async (line) => {
  const err = 'syn: --template can be given only once\n'
  expect(await runSyn(line.split(' '), { stdin: 'x\n' })).toEqual({ code: 2, out: '', err })
})

test('the last of several models counts', async () => {
  const { code, out } = await runSyn(['chat', '--dry-run', '-m', 'hf:a/first', '-m', 'hf:a/last', 'hi'])
  expect({ code, model: (JSON.parse(out) as { model: string }).model }).toEqual({ code: 0, model: 'hf:a/last' })
})
