import { describe, expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { configPath, configText, homeWith, storedIn, storedKey } from '../settings/stored.ts'

const url = 'https://api.example.com'

test('what is stored as a key is removed', async () => {
  const profile = { 'base-url': url, 'api-key': storedKey, 'key-command': 'pass show syn' }
  const home = homeWith({ profiles: { default: { 'api-key': 'sk-other-0123456789' }, work: profile } })
  const { code, out, err } = await runSyn(['logout', '--profile', 'work'], { env: { HOME: home } })
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toBe(`syn: removed api-key and key-command from profile work in ${configPath(home)}\n`)
  expect(storedIn(home).profiles).toEqual({ default: { 'api-key': 'sk-other-0123456789' }, work: { 'base-url': url } })
  expect(configText(home)).not.toContain(storedKey)
})

test.each([['logout'], ['config', 'set', 'model', 'syn:small:text']])(
  '%s %s with --sandbox changes nothing',
  async (...argv) => {
    const home = homeWith({ profiles: { default: { 'base-url': url, 'api-key': storedKey } } })
    const before = configText(home)
    const { code, err } = await runSyn(['--sandbox', ...argv], { env: { HOME: home, EDITOR: 'false' } })
    expect({ code, err }).toEqual({
      code: 2,
      err: 'syn: the sandbox has no stored settings\nhint: leave out --sandbox to change those of a profile\n',
    })
    expect(configText(home)).toBe(before)
  },
)

test('without a stored key: a notice, and no change', async () => {
  const home = homeWith({ profiles: { default: { 'base-url': url } } })
  const { code, err } = await runSyn(['logout'], { env: { HOME: home } })
  expect({ code, err }).toEqual({
    code: 0,
    err: `syn: no API key is stored for profile default in ${configPath(home)}\n`,
  })
})

test('an unknown profile is an error', async () => {
  const home = homeWith({ profiles: { work: { 'api-key': storedKey } } })
  const { code, err } = await runSyn(['logout', '--profile', 'wrk'], { env: { HOME: home } })
  expect({ code, err }).toEqual({
    code: 2,
    err: 'syn: no profile named "wrk" (did you mean work?)\nhint: available: work. Use syn login --profile wrk to create it\n',
  })
  expect(storedIn(home).profiles.work).toEqual({ 'api-key': storedKey })
})

describe('--forget', () => {
  const work = { 'base-url': url, 'api-key': storedKey, model: 'hf:m' }

  test.each([
    [
      'the default profile',
      { profile: 'work', profiles: { default: { retries: 1 }, work } },
      { profiles: { default: { retries: 1 } } },
    ],
    ['another profile', { profile: 'home', profiles: { home: {}, work } }, { profile: 'home', profiles: { home: {} } }],
  ])('%s', async (_what, document, left) => {
    const home = homeWith(document)
    const { code, out, err } = await runSyn(['logout', '--profile', 'work', '--forget'], { env: { HOME: home } })
    expect({ code, out, err }).toEqual({
      code: 0,
      out: '',
      err: `syn: removed profile work from ${configPath(home)}\n`,
    })
    expect(storedIn(home)).toEqual(left)
  })
})

test('--forget of a profile that is not stored is an error', async () => {
  const home = homeWith({ profiles: { work: { 'api-key': storedKey } } })
  const { code, err } = await runSyn(['logout', '--forget'], { env: { HOME: home } })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('syn: no profile named "default"') })
})

test('a notice about a key and a profile in the environment', async () => {
  const home = homeWith({ profiles: { work: { 'api-key': storedKey }, home: {} } })
  const env = { HOME: home, SYN_API_KEY: storedKey, SYN_PROFILE: 'work' }
  const { err } = await runSyn(['logout', '--forget'], { env })
  expect(err).toContain('syn: SYN_PROFILE is still set to work\n')
  expect(err).toContain('syn: SYN_API_KEY is still set\n')
})
