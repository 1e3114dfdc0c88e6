import { expect, test } from 'vitest'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { configPath, configText, homeWith, storedIn, storedKey } from '../settings/stored.ts'

const url = 'https://api.example.com'

test.each([
  [{ 'base-url': url, 'api-key': storedKey }, 'removed api-key from'],
  [{ 'base-url': url, 'key-command': 'pass show syn' }, 'removed key-command from'],
  [{ 'base-url': url, 'api-key': storedKey, 'key-command': 'pass show syn' }, 'removed api-key and key-command from'],
])('%j: %s', async (profile, message) => {
  const home = homeWith({ profiles: { default: { 'api-key': 'sk-other-0123456789' }, work: profile } })
  const { code, out, err } = await runSyn(['logout', '--profile', 'work'], { env: { HOME: home } })
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toBe(`syn: ${message} profile work in ${configPath(home)}\n`)
  expect(storedIn(home).profiles).toEqual({ default: { 'api-key': 'sk-other-0123456789' }, work: { 'base-url': url } })
  expect(configText(home)).not.toContain(storedKey)
})

test.each([
  ['no file', () => emptyFolder()],
  ['no key', () => homeWith({ profiles: { default: { 'base-url': url } } })],
])('%s: a notice, and no change', async (_what, makeHome) => {
  const home = makeHome()
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
    err: expect.stringContaining('no profile named "wrk" (did you mean work?)'),
  })
  expect(storedIn(home).profiles.work).toEqual({ 'api-key': storedKey })
})

test('a notice about a key in the environment', async () => {
  const { err } = await runSyn(['logout'], { env: { SYN_API_KEY: storedKey } })
  expect(err).toContain('syn: SYN_API_KEY is still set\n')
})
