import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { configPath, configText, homeWith, homeWithProfile, storedIn } from './stored.ts'
import { expectMode } from '../helpers/modes.ts'

async function syn(home: string, ...argv: string[]): Promise<Outcome> {
  return runSyn(argv, { env: { HOME: home } })
}

describe('modes', () => {
  test('file and folder are private', async () => {
    const home = emptyFolder()
    expect((await syn(home, 'config', 'set', 'retries', '1')).code).toBe(0)
    expectMode(configPath(home), '600')
    expectMode(dirname(configPath(home)), '700')
    expect(readdirSync(dirname(configPath(home)))).toEqual(['config.json'])
  })

  test('wider permissions are restricted at the next write', async () => {
    const home = homeWithProfile({})
    chmodSync(configPath(home), 0o644)
    chmodSync(dirname(configPath(home)), 0o755)
    expect((await syn(home, 'config', 'set', 'retries', '1')).code).toBe(0)
    expectMode(configPath(home), '600')
    expectMode(dirname(configPath(home)), '700')
  })
})

test('reading creates nothing', async () => {
  const home = emptyFolder()
  expect((await syn(home, 'config', 'list')).code).toBe(0)
  expect((await syn(home, 'logout')).code).toBe(0)
  expect(readdirSync(home)).toEqual([])
})

test('unknown keys are kept', async () => {
  const home = homeWith({ $schema: 'x', profiles: { default: { shade: [1], retries: 9 }, other: { later: {} } } })
  expect((await syn(home, 'config', 'set', 'retries', '1')).code).toBe(0)
  expect(storedIn(home)).toEqual({
    $schema: 'x',
    profiles: { default: { shade: [1], retries: 1 }, other: { later: {} } },
  })
})

test('unknown keys are named with the nearest one, by other commands on a terminal only', async () => {
  // The names that other programs have for them.
  const section = { baseURL: 'x', api_key: 'y', timeout: 5, stream: true }
  const home = homeWith({
    $schema: 'x',
    modle: 'x',
    defaults: {},
    profiles: { default: section, 'my-work': { color: 'never' } },
  })
  const { code, err, out } = await syn(home, 'config', 'list')
  const named = [
    ['modle', 'profiles.default.model'],
    ['defaults'],
    ['profiles.default.baseURL', 'profiles.default["base-url"]'],
    ['profiles.default.api_key', 'profiles.default["api-key"]'],
    ['profiles.default.stream'],
  ]
  const lines = named.map(
    ([key, meant]) => `unknown key $.${key}${meant === undefined ? '' : ` (did you mean $.${meant}?)`}`,
  )
  expect({ code, err }).toEqual({ code: 0, err: lines.map((line) => `syn: ${configPath(home)}: ${line}\n`).join('') })
  expect(out).toContain('timeout\t5\t')
  expect((await syn(home, 'config', 'get', 'timeout')).err).toBe('')
  const onTerminal = await runSyn(['config', 'get', 'timeout'], { env: { HOME: home }, isTerminal: true })
  expect(onTerminal.err.match(/unknown\s+key/g)).toHaveLength(named.length)
})

test('a symbolic link is kept, and its target changed', async () => {
  const home = homeWithProfile({})
  const target = join(emptyFolder(), 'dotfiles.json')
  writeFileSync(target, '{"profiles":{"default":{"retries":2}}}')
  const linked = join(emptyFolder(), 'home')
  mkdirSync(dirname(configPath(linked)), { recursive: true })
  symlinkSync(target, configPath(linked))
  expect((await syn(linked, 'config', 'set', 'color', 'false')).code).toBe(0)
  expect(lstatSync(configPath(linked)).isSymbolicLink()).toBe(true)
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ profiles: { default: { retries: 2, color: 'never' } } })
  expect(existsSync(configPath(home))).toBe(true)
})

test.each([' \n', '{}', '\uFEFF{"profiles":{}}'])('%j counts as empty', async (text) => {
  const home = homeWith(text)
  expect(await syn(home, 'config', 'get', 'retries')).toEqual({ code: 0, out: '3\n', err: '' })
  expect((await syn(home, 'config', 'set', 'retries', '1')).code).toBe(0)
  expect(storedIn(home)).toEqual({ profiles: { default: { retries: 1 } } })
})

describe('an invalid file is never overwritten, and the error names the path', () => {
  test.each([
    ['{"profiles": {"default": {"retries": 3,}}}', 'not valid JSON at line 1, column 40'],
    ['{\n  "profiles": {"default": {"api-key": sk-unquoted-0123456789}}\n}', 'not valid JSON at line 2, column 39'],
    ['{"profiles": {"a": {"retries": -1}}}', '$.profiles.a.retries: -1 is not accepted'],
    ['{"profiles": {"a-b": {"allow-http": "yes"}}}', '$.profiles["a-b"]["allow-http"]: "yes" is not accepted'],
    ['{"profile": 1}', '$.profile: 1 is not accepted; expected a string'],
    ['{"profiles": {"a": {"api-key": ["sk-in-a-list-0123456789"]}}}', '$.profiles.a["api-key"]: the value is not'],
    ['{"profiles": {"a": {"api-key": "sk-with a space 0123"}}}', '$.profiles.a["api-key"]: the key contains spaces'],
  ])('%s', async (text, message) => {
    const home = homeWith(text)
    const commands = [['config', 'set', 'retries', '1'], ['logout'], ['chat', 'hi']]
    for (const argv of commands) {
      const { code, out, err } = await syn(home, ...argv, '--debug')
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(`syn: ${configPath(home)}: ${message}`)
      expect(err).toContain('hint: correct it in an editor')
      expect(err).not.toMatch(/sk-/)
      expect(configText(home)).toBe(text)
    }
    expect((await syn(home, 'config', 'path')).out).toBe(`${configPath(home)}\n`)
  })

  test('on a terminal of any width, its path begins in the row of syn:', async () => {
    const home = homeWith('{')
    for (const columns of [1, 20, configPath(home).length, configPath(home).length + 20]) {
      const { err } = await runSyn(['config', 'list'], { env: { HOME: home }, isTerminal: true, columns })
      expect(err, `${columns} columns`).toMatch(/^syn: \S/)
    }
  })
})

test('a file that cannot be written is an error', async () => {
  const home = emptyFolder()
  writeFileSync(join(home, '.config'), 'a file where a folder should be')
  const { code, err } = await syn(home, 'config', 'set', 'retries', '1')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^syn: cannot write .+\n$/) })
})

test('the lock of a killed run is taken over', async () => {
  const home = homeWithProfile({})
  mkdirSync(`${configPath(home)}.lock`)
  utimesSync(`${configPath(home)}.lock`, 0, 0)
  expect((await syn(home, 'config', 'set', 'retries', '1')).code).toBe(0)
  expect(readdirSync(dirname(configPath(home)))).toEqual(['config.json'])
})
