/** A key that a key command prints, typed by mistake: it is not known before the command has run. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testKey } from '../helpers/canary.ts'
import { runSyn, type Outcome, type RunOptions } from '../helpers/run-syn.ts'
import { homeWithProfile } from './stored.ts'

const baseUrl = 'https://api.example.com'
const marker = 'ran'

/** The command leaves a file, so that a test sees whether it ran. */
function homeWithCommand(command = `echo ${testKey}`): string {
  return homeWithProfile({ 'base-url': baseUrl, 'key-command': `touch "$HOME/${marker}"; ${command}` })
}

async function runIn(
  home: string,
  argv: readonly string[],
  options: RunOptions = {},
): Promise<Outcome & { ran: boolean }> {
  const { PATH = '' } = process.env
  const outcome = await runSyn([...argv], { ...options, env: { HOME: home, PATH, ...options.env } })
  return { ...outcome, ran: existsSync(join(home, marker)) }
}

test('--dry-run needs no key, and prints what would be sent', async () => {
  const prompt = 'my key is none-of-the-others'
  const home = homeWithCommand('echo none-of-the-others')
  const { code, out, err, ran } = await runIn(home, ['chat', prompt, '--dry-run', '-q'])
  expect({ code, err, ran }).toEqual({ code: 0, err: '', ran: false })
  expect(out).toContain(prompt)
})

const other = 'a1b2c3d4e5f6a7b8c9d0e1f2'

describe.each([testKey, other])('%s in notices and errors, before the command runs', (key) => {
  test.each([
    [['chat', 'hi', '--timeout', key]],
    [['chat', 'hi', '-f', key]],
    [['chat', 'hi', '--temperature', key]],
    [['sessions', 'show', key]],
    [['config', 'get', key]],
    [['chat', 'hi', '--profile', key]],
    [['quota', '--block', key]],
  ])('%j', async (argv) => {
    for (const isTerminal of [false, true]) {
      const { err } = await runIn(homeWithCommand(`echo ${key}`), argv, { isTerminal })
      expect(err).not.toBe('')
      expect(err).not.toContain(key)
    }
  })
})

test.each([
  [['chat', 'hi', '--temperature', 'hf:Qwen3-Coder-480B-A35B-Instruct'], 'hf:Qwen3-Coder-480B-A35B-Instruct'],
  [['sessions', 'show', '20261121-090000-abcdef'], '20261121-090000-abcdef'],
])('what does not look like a key is shown: %j', async (argv, shown) => {
  expect((await runIn(homeWithCommand('exit 4'), argv)).err).toContain(shown)
})
