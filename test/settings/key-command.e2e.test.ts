/** A key that a key command prints, typed by mistake: it is not known before the command has run. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leakIn, testKey } from '../helpers/canary.ts'
import { homeWithConversations } from '../helpers/conversations.ts'
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

const prompt = `my key is ${testKey}`

/** Each prints a request with what was typed. */
const previews: readonly [argv: string[], stdin?: string][] = [
  [['chat', prompt, '--dry-run']],
  [['chat', prompt, '--curl']],
  [['chat', '--session', testKey, 'hi', '-s', prompt, '--dry-run']],
  [['messages', prompt, '--dry-run']],
  [['complete', prompt, '--dry-run']],
  [['embed', '-m', 'hf:x', prompt, '--curl']],
  [['search', prompt, '--dry-run']],
  [['count-tokens', '-m', 'hf:x', prompt, '--dry-run']],
  [['models', '--curl', '--base-url', `https://api.example.com/${testKey}`]],
  [['batch', '--lines', '-s', prompt, '--dry-run', '-q'], 'x\n'],
]

describe.each(previews)('%j', (argv, stdin) => {
  const options = stdin === undefined ? {} : { stdin }

  test('masks the key that the command prints', async () => {
    const { code, out, err, ran } = await runIn(homeWithCommand(), argv, options)
    expect({ code, ran }).toEqual({ code: 0, ran: true })
    expect(out).toContain('[key]')
    expect(leakIn(out + err)).toBeUndefined()
  })

  test('prints the request with a notice if the command fails, also with -q', async () => {
    const words = argv.map((word) => word.replace(testKey, 'none'))
    const { code, out, err } = await runIn(homeWithCommand('exit 4'), words, options)
    expect(code).toBe(0)
    expect(out).toContain('none')
    expect(err).toContain(
      'syn: the API key would not be masked in this request: the key command exited with status 4\n',
    )
  })
})

test('a key in the environment needs no command, and no key needs none', async () => {
  const home = homeWithCommand('exit 4')
  const { code, out, err, ran } = await runIn(home, ['chat', prompt, '--dry-run', '-q'], {
    env: { SYN_API_KEY: testKey },
  })
  expect({ code, err, ran }).toEqual({ code: 0, err: '', ran: false })
  expect(leakIn(out)).toBeUndefined()
  expect(await runSyn(['chat', 'hi', '--dry-run', '-q'])).toMatchObject({ code: 0, err: '' })
  expect(await runIn(home, ['chat', 'hi', '--dry-run', '-q', '--sandbox'])).toMatchObject({
    code: 0,
    err: '',
    ran: false,
  })
})

const other = 'a1b2c3d4e5f6a7b8c9d0e1f2'

describe.each([testKey, other])('%s in notices and errors, before the command runs', (key) => {
  test.each([
    [['chat', 'hi', '--session', key, '--no-save', '--dry-run']],
    [['chat', 'hi', '--timeout', key]],
    [['chat', 'hi', '-f', key]],
    [['chat', 'hi', '--temperature', key]],
    [['sessions', 'show', key]],
    [['sessions', 'rm', '--yes', key]],
    [['sessions', 'search', key]],
    [['models', 'show', key]],
    [['config', 'set', 'theme', key]],
    [['config', 'get', key]],
    [['chat', 'hi', '--profile', key]],
    [['quota', '--get', key, '--block', key]],
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
  [
    ['chat', 'hi', '-f', '/no/such/folder-of-2026/some-file-of-2026.txt'],
    '/no/such/folder-of-2026/some-file-of-2026.txt',
  ],
  [['sessions', 'show', '20261121-090000-abcdef'], '20261121-090000-abcdef'],
])('what does not look like a key is shown: %j', async (argv, shown) => {
  expect((await runIn(homeWithCommand('exit 4'), argv)).err).toContain(shown)
})

test('a name that looks like a key waits for the command; another one does not', async () => {
  const id = '20261121-090000-aaaaaa'
  const home = homeWithConversations({ id, name: 'x', turns: [['a', 'b']] })
  const command = `touch "$HOME/${marker}"; echo ${testKey}`
  await runIn(home, ['login', '--base-url', baseUrl, '--key-command', command, '--no-verify'])
  expect(await runIn(home, ['sessions', 'rename', id, 'french'])).toMatchObject({ code: 0, ran: false })
  const { code, err, ran } = await runIn(home, ['sessions', 'rename', id, `x ${testKey}`])
  expect({ code, err, ran }).toEqual({ code: 0, err: `syn: renamed ${id} to "x [key]"\n`, ran: true })
  expect((await runIn(home, ['sessions'])).out).toContain('x [key]')
  expect(readFileSync(join(home, '.local', 'share', 'syn', 'conversations', `${id}.jsonl`), 'utf8')).not.toContain(
    testKey,
  )
})
