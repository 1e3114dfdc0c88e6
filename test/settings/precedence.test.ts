import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { homeWith, homeWithProfile } from './stored.ts'

const home = homeWith({
  profile: 'home',
  profiles: {
    home: { 'base-url': 'https://home.example.com', model: 'hf:stored', retries: 5, color: false },
    work: { 'base-url': 'https://work.example.com', timeout: 60, 'allow-http': true },
  },
})

interface Row {
  value: unknown
  source: string | null
}

async function listed(argv: string[], env: Record<string, string>): Promise<Record<string, Row>> {
  const { code, out, err } = await runSyn(['config', 'list', '--json', ...argv], { env: { HOME: home, ...env } })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as Record<string, Row>
}

test.each([
  [
    'base-url',
    '',
    { SYN_BASE_URL: 'https://env.example.com/openai/v1' },
    'https://env.example.com',
    'environment SYN_BASE_URL',
  ],
  [
    'base-url',
    '--base-url=https://flag.example.com',
    { SYN_BASE_URL: 'https://e.com' },
    'https://flag.example.com',
    'flag --base-url',
  ],
  ['base-url', '', { SYN_PROFILE: 'work' }, 'https://work.example.com', 'profile work'],
  ['base-url', '--profile=home', { SYN_PROFILE: 'work' }, 'https://home.example.com', 'profile home'],
  ['model', '', { SYN_MODEL: 'syn:large:text' }, 'syn:large:text', 'environment SYN_MODEL'],
  ['embed-model', '', { SYN_EMBED_MODEL: 'hf:e' }, 'hf:e', 'environment SYN_EMBED_MODEL'],
  ['retries', '--retries=0', {}, 0, 'flag --retries'],
  ['allow-http', '--profile=work', {}, true, 'profile work'],
  // Earlier versions stored false and true.
  ['color', '', {}, 'never', 'profile home'],
  ['color', '', { FORCE_COLOR: '1' }, 'always', 'environment FORCE_COLOR'],
  ['color', '', { FORCE_COLOR: '0' }, 'never', 'environment FORCE_COLOR'],
  ['color', '', { FORCE_COLOR: '1', NO_COLOR: '1' }, 'never', 'environment NO_COLOR'],
  ['accessible', '', { ACCESSIBLE: '1' }, true, 'environment ACCESSIBLE'],
  ['accessible', '', { ACCESSIBLE: 'false' }, false, 'environment ACCESSIBLE'],
  ['color', '--color=auto', { NO_COLOR: '1' }, 'auto', 'flag --color'],
  ['model', '--sandbox', { SYN_MODEL: 'hf:env' }, null, 'default'],
])('%s with %j and %j', async (name, flag, env, value, source) => {
  const all = await listed(flag === '' ? [] : [flag], env)
  expect(all[name]).toMatchObject({ value, source })
})

test.each([
  [{ SYN_MODEL: 'gpt' }, 'SYN_MODEL: "gpt" is not accepted; expected a name that starts with hf:'],
  [{ SYN_PROFILE: 'a b' }, 'SYN_PROFILE: "a b" is not a valid profile name'],
  [{ SYN_PROFILE: 'hom' }, 'no profile named "hom" (did you mean home?)'],
  [{ SYN_API_KEY: 'sk-ключ-0123456789' }, 'SYN_API_KEY: the key contains spaces, line breaks or non-ASCII characters'],
])('%j is refused', async (env, message) => {
  const { code, out, err } = await runSyn(['config', 'list'], {
    env: { HOME: home, ...(env as Record<string, string>) },
  })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(`syn: ${message}`)
  expect(err).not.toMatch(/sk.with|sk-ключ/)
})

test('__proto__ is an ordinary profile name, which does not exist', async () => {
  const name = '__proto__'
  const options = { env: { HOME: homeWithProfile({}) } }
  expect((await runSyn(['config', 'list', '--profile', name], options)).err).toContain(`no profile named "${name}"`)
  expect((await runSyn(['config', 'set', 'retries', '1', '--profile', name], options)).code).toBe(0)
  expect((await runSyn(['config', 'get', 'retries', '--profile', name], options)).out).toBe('1\n')
  expect((await runSyn(['config', 'get', 'retries'], options)).out).toBe('3\n')
})

test('the sandbox replaces the account and the models, not the taste of the user', async () => {
  const stored = {
    'base-url': 'https://api.example.com',
    model: 'hf:mine',
    'embed-model': 'hf:mine',
    'any-model': true,
    save: false,
    theme: 'dark',
    color: 'never',
    status: false,
    accessible: true,
    fallback: true,
    timeout: 7,
    retries: 1,
  }
  const { out } = await runSyn(['config', 'list', '--json', '--sandbox'], { env: { HOME: homeWithProfile(stored) } })
  const listed = Object.entries(JSON.parse(out) as Record<string, { value: unknown; source: string }>)
  const held = Object.fromEntries(
    listed.filter(([, { source }]) => source === 'profile default').map(([name, { value }]) => [name, value]),
  )
  const { 'base-url': _url, model: _model, 'embed-model': _embed, 'any-model': _any, ...taste } = stored
  expect(held).toEqual(taste)
})

test('the sandbox works despite a damaged config file', async () => {
  const outcome = await runSyn(['chat', '--sandbox', 'hi'], { env: { HOME: homeWith('{"profiles":') } })
  expect(outcome).toMatchObject({ code: 0, err: '' })
})

test.each([
  ['--profile', 'work'],
  ['--base-url', 'https://api.example.com'],
])('the sandbox has no %s', async (flag, value) => {
  const ended = await runSyn([flag, value, 'quota', '--sandbox'], { env: { HOME: home } })
  expect(ended).toEqual({ code: 2, out: '', err: `syn: ${flag} and --sandbox cannot be combined\n` })
})
