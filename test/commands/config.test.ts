import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from '../helpers/run-syn.ts'
import { configPath, homeWith, homeWithProfile, storedIn, storedKey } from '../settings/stored.ts'

async function config(home: string, argv: string[], options: RunOptions = {}): Promise<Outcome> {
  return runSyn(['config', ...argv], { ...options, env: { HOME: home, ...options.env } })
}

const url = 'https://api.example.com'

describe('list', () => {
  const home = homeWithProfile({ 'base-url': `${url}/openai/v1`, 'api-key': storedKey, 'key-command': 'pass show syn' })

  test('tabs off a terminal', async () => {
    const { code, out, err } = await config(home, [])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n').slice(0, 5)).toEqual([
      'profile\tdefault\tdefault',
      `base-url\t${url}\tprofile default`,
      'api-key\t[key]\tprofile default',
      'key-command\tpass show syn\tprofile default',
      'model\tsyn:large:text; images may need syn:large:vision\tdefault',
    ])
  })

  test('a table on a terminal', async () => {
    const { out } = await config(home, ['list'], { isTerminal: true })
    expect(out.split('\n').slice(1, 3)).toEqual([
      `base-url     ${url.padEnd(48)}  profile default`,
      `api-key      ${'[key]'.padEnd(48)}  profile default`,
    ])
    expect(out).not.toMatch(/ \n/)
  })

  test('JSON', async () => {
    const { out } = await config(home, ['list', '--json'], { env: { SYN_API_KEY: storedKey } })
    expect(JSON.parse(out)).toMatchObject({
      'base-url': { value: url, source: 'profile default' },
      'api-key': { value: '[key]', source: 'environment SYN_API_KEY' },
      'key-command': { value: 'pass show syn', source: 'profile default', default: null },
      model: { value: null, source: 'default', default: 'syn:large:text; images may need syn:large:vision' },
      retries: { value: 3, source: 'default', default: 3 },
    })
  })
})

test.each([
  ['base-url', ''],
  ['timeout', ' (default: 300 before the first byte, then 120)'],
])('get fails for %s that is not set', async (name, hint) => {
  const err = `syn: ${name} is not set${hint}\n`
  expect(await config(emptyFolder(), ['get', name])).toEqual({ code: 1, out: '', err })
})

test('the description of a default is no model, even with any-model', async () => {
  const home = homeWithProfile({ 'any-model': true })
  expect((await config(home, ['get', 'model'])).code).toBe(1)
  const { out } = await runSyn(['chat', '--dry-run', 'hi'], { env: { HOME: home } })
  expect(JSON.parse(out)).toMatchObject({ model: 'syn:large:text' })
})

test.each([
  [{ profile: 'work', profiles: { default: {}, work: { 'base-url': url } } }, 'default\nwork\n', ''],
  [{ profiles: {} }, '', 'syn: no profile is stored; use syn login to create one\n'],
])('the profiles of %j', async (document, out, err) => {
  for (const isTerminal of [true, false])
    expect(await config(homeWith(document), ['profiles'], { isTerminal })).toEqual({ code: 0, out, err })
})

describe('set and unset', () => {
  test.each([
    ['base-url', `${url}/openai/v1/`, url],
    ['allow-http', 'true', true],
    ['color', 'true', 'always'],
    ['save', 'no', false],
  ])('%s %s', async (name, text, value) => {
    const home = homeWithProfile({ 'api-key-note': 'kept' })
    const { code, out, err } = await config(home, ['set', name, text])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toBe(`syn: stored ${name} ${value} in profile default in ${configPath(home)}\n`)
    expect(storedIn(home).profiles.default).toEqual({ 'api-key-note': 'kept', [name]: value })
    expect((await config(home, ['get', name])).out).toBe(`${value}\n`)
    expect((await config(home, ['unset', name])).err).toBe(
      `syn: removed ${name} from profile default in ${configPath(home)}\n`,
    )
    expect(storedIn(home).profiles.default).toEqual({ 'api-key-note': 'kept' })
    expect((await config(home, ['unset', name])).err).toContain(`${name} is not stored in profile default`)
  })

  test('the default profile', async () => {
    const home = homeWith({ profiles: { work: { retries: 7 } } })
    expect((await config(home, ['set', 'profile', 'work'])).code).toBe(0)
    expect((await config(home, ['get', 'retries'])).out).toBe('7\n')
    expect((await config(home, ['set', 'retries', '8'])).code).toBe(0)
    expect(storedIn(home)).toEqual({ profile: 'work', profiles: { work: { retries: 8 } } })
    expect((await config(home, ['unset', 'profile'])).code).toBe(0)
    expect(storedIn(home)).toEqual({ profiles: { work: { retries: 8 } } })
  })

  test.each([
    [['set', 'base-ulr', url], 'unknown setting "base-ulr" (did you mean base-url?)'],
    [['set', 'save', 'maybe'], 'save: "maybe" is not accepted; expected true, false, yes, no, on or off'],
    [
      ['set', 'color', 'alwys'],
      'color: "alwys" is not accepted; expected auto, always or never (did you mean always?)',
    ],
    [['set', 'embed-model', 'syn:large:text'], 'embed-model: "syn:large:text" is not accepted'],
    [['set', 'profile', 'work'], 'no profile named "work"'],
    [['set', 'model'], 'no value for model\nhint: use syn config set model VALUE\n'],
    [['set', 'api-key', storedKey], 'api-key cannot be given as an argument'],
    [['--json', 'get', 'model'], 'option --json is not valid here'],
    [['sett', 'model', 'hf:x'], 'unknown subcommand "sett" (did you mean set?)'],
  ])('config %j is refused', async (argv, message) => {
    const home = emptyFolder()
    const { code, out, err } = await config(home, argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`syn: ${message}`)
    expect(err).not.toContain(storedKey)
    expect(existsSync(configPath(home))).toBe(false)
  })
})
