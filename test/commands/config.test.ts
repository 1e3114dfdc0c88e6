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

  test.each([[['list']], [[]]])('config %j: tabs off a terminal', async (argv) => {
    const { code, out, err } = await config(home, argv)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n').slice(0, 5)).toEqual([
      'profile\tdefault\tdefault',
      `base-url\t${url}\tprofile default`,
      'api-key\t[key]\tprofile default',
      'key-command\tpass show syn\tprofile default',
      'model\t\tnot set',
    ])
  })

  test('a table on a terminal', async () => {
    const { out } = await config(home, ['list'], { isTerminal: true })
    expect(out.split('\n').slice(1, 3)).toEqual([
      `base-url     ${url}  profile default`,
      'api-key      [key]                    profile default',
    ])
    expect(out).not.toMatch(/ \n/)
  })

  test('JSON', async () => {
    const { out } = await config(home, ['list', '--json'], { env: { SYN_API_KEY: storedKey } })
    expect(JSON.parse(out)).toMatchObject({
      'base-url': { value: url, source: 'profile default' },
      'api-key': { value: '[key]', source: 'environment SYN_API_KEY' },
      model: { value: null, source: null },
      retries: { value: 3, source: 'default' },
    })
  })
})

test.each([
  ['base-url', `${url}\n`],
  ['api-key', '[key]\n'],
  ['retries', '3\n'],
  ['profile', 'default\n'],
])('get %s', async (name, out) => {
  const home = homeWithProfile({ 'base-url': url, 'api-key': storedKey })
  expect(await config(home, ['get', name])).toEqual({ code: 0, out, err: '' })
})

test('get fails for a setting that is not set', async () => {
  expect(await config(emptyFolder(), ['get', 'model'])).toEqual({ code: 1, out: '', err: 'syn: model is not set\n' })
})

describe('set and unset', () => {
  test.each([
    ['base-url', `${url}/openai/v1/`, url],
    ['key-command', 'pass show syn', 'pass show syn'],
    ['model', 'syn:small:text', 'syn:small:text'],
    ['embed-model', 'hf:nomic-ai/nomic-embed-text-v1.5', 'hf:nomic-ai/nomic-embed-text-v1.5'],
    ['timeout', '0.5', 0.5],
    ['retries', '0', 0],
    ['allow-http', 'true', true],
    ['color', 'false', false],
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
    [['get', 'base-ulr'], 'unknown setting "base-ulr" (did you mean base-url?)'],
    [['unset', 'nonsense'], 'unknown setting "nonsense"'],
    [['set', '__proto__', 'x'], 'unknown setting "__proto__"'],
    [['set', 'timeout', 'soon'], 'timeout: "soon" is not accepted; expected a number, at least 0'],
    [['set', 'timeout', ''], 'timeout: "" is not accepted'],
    [['set', 'timeout', '0x10'], 'timeout: "0x10" is not accepted'],
    [['set', 'retries', '1.5'], 'retries: 1.5 is not accepted; expected a whole number, at least 0'],
    [['set', 'allow-http', 'yes'], 'allow-http: "yes" is not accepted; expected true or false'],
    [['set', 'model', 'gpt-4'], 'model: "gpt-4" is not accepted'],
    [['set', 'embed-model', 'syn:large:text'], 'embed-model: "syn:large:text" is not accepted'],
    [['set', 'key-command', ''], 'key-command: an empty value is not accepted'],
    [['set', 'profile', 'work'], 'no profile named "work"'],
    [['set', 'profile', 'a b'], 'profile: "a b" is not a valid profile name'],
    [['set', 'base-url', 'example'], 'base-url: "example" does not start with'],
    [['set', 'model'], 'no value for model'],
    [['set'], 'missing argument NAME'],
    [['set', 'api-key', storedKey], 'api-key cannot be given as an argument'],
    [['set', 'api-key'], 'api-key cannot be given as an argument'],
    [['sett', 'model', 'hf:x'], 'unknown subcommand "sett" (did you mean set?)'],
    [['get', 'model', 'retries'], 'get takes at most 1 argument, got 2'],
    [['get', 'model', '--json'], 'option --json is not valid here'],
    [['--json', 'get', 'model'], 'option --json is not valid here'],
  ])('config %j is refused', async (argv, message) => {
    const home = emptyFolder()
    const { code, out, err } = await config(home, argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`syn: ${message}`)
    expect(err).not.toContain(storedKey)
    expect(existsSync(configPath(home))).toBe(false)
  })
})
