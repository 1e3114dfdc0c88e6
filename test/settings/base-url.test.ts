import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeBaseUrl } from '../../src/settings/base-url.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'

async function given(baseUrl: string): Promise<Outcome> {
  return runSyn(['config', 'get', 'base-url', `--base-url=${baseUrl}`])
}

test.each([
  ['  https://api.example.com\n', 'https://api.example.com'],
  ['HTTPS://API.Example.COM:443/', 'https://api.example.com'],
  ['https://api.example.com/v1/', 'https://api.example.com/v1'],
  ['https://api.example.com/v2/', 'https://api.example.com'],
  ['https://api.example.com/anthropic/v1/', 'https://api.example.com'],
  ['https://gate.example.com/team/a/openai/v1', 'https://gate.example.com/team/a'],
  ['https://gate.example.com/myopenai', 'https://gate.example.com/myopenai'],
  ['http://localhost:8080/v1/chat/completions', 'http://localhost:8080/v1'],
  ['https://api.example.com/openai/v1/models/', 'https://api.example.com'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
  ['api.example.com:8443/v1/', 'https://api.example.com:8443/v1'],
  ['localhost:8080', 'http://localhost:8080'],
])('%j is %s', async (text, normal) => {
  expect(await given(text)).toEqual({ code: 0, out: `${normal}\n`, err: '' })
})

test.each([
  ['ftp://api.example.com', 'does not start with https://'],
  ['https://', '"https://" is not a valid URL'],
  ['', '--base-url: an empty value is not accepted'],
  ['https://api.example.com/?model=x', 'a URL with a query or fragment is not accepted'],
])('%j is refused: %s', async (text, message) => {
  const { code, out, err } = await given(text)
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(message) })
})

test.each(['/x1', '\\x1'])('%s is no host, so that no URL is suggested', async (text) => {
  expect((await given(text)).err).toBe(`syn: --base-url: ${JSON.stringify(text)} does not start with https://\n`)
})

describe('a password is not accepted, and not shown', () => {
  test.each([
    'https://user:hunter2secret@api.example.com',
    'user:hunter2secret@api.example.com',
    'https://api.example.com/?key=hunter2secret',
  ])('%s', async (text) => {
    const { code, err } = await given(text)
    expect(code).toBe(2)
    expect(err).not.toContain('hunter2secret')
  })
})

test('normalizing is idempotent, and removes API paths and trailing slashes', () => {
  const step = fc.constantFrom('', '/', 'v1', 'v2', 'openai', 'anthropic', 'team', 'v3', 'openai2', '%20')
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      const normal = normalizeBaseUrl(`https://api.example.com/${steps.join('/')}`, 'test')
      expect(normal).not.toMatch(/\/(v2|openai|openai\/v1|anthropic|anthropic\/v1)?$/)
      expect(normalizeBaseUrl(normal, 'test')).toBe(normal)
      for (const end of ['/', '/v2', '/openai/v1', '/anthropic', '/anthropic/v1'])
        expect(normalizeBaseUrl(normal + end, 'test')).toBe(normal)
    }),
    samples(),
  )
})
