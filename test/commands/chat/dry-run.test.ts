/** `--dry-run` and `--curl`: print the request instead of sending it, without needing a key or a base URL. */

import { describe, expect, test } from 'vitest'
import { chat } from '../../helpers/chat.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { testKey } from '../../helpers/service.ts'
import { homeWithProfile, storedKey } from '../../settings/stored.ts'

const body = { model: 'syn:large:text', messages: [{ role: 'user', content: 'hi' }], stream: true }

describe('--dry-run', () => {
  test('needs neither key nor base URL', async () => {
    const { code, out, err } = await runSyn(['chat', '--dry-run', 'hi'])
    expect({ code, err, json: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      err: 'syn: POST $SYN_BASE_URL/openai/v1/chat/completions\n',
      json: body,
    })
  })

  test('prints the URL, and sends nothing', async () => {
    const err = expect.stringMatching(
      /^syn: POST http:\/\/127\.0\.0\.1:\d+\/openai\/v1\/chat\/completions\n$/,
    ) as string
    expect(await chat(['--dry-run', 'hi'])).toMatchObject({ err, asked: [] })
  })
})

describe('--curl', () => {
  test('quotes the URL', async () => {
    const { out } = await runSyn(['chat', '--curl', 'hi'], { env: { SYN_BASE_URL: "https://api.example/it's" } })
    expect(out).toContain("curl -sS --no-buffer 'https://api.example/it%27s/openai/v1/chat/completions'")
  })

  test('needs neither key nor base URL', async () => {
    const { code, out, err } = await runSyn(['chat', '--curl', 'hi'])
    expect({ code, err }).toEqual({ code: 0, err: 'syn: set SYN_BASE_URL and SYN_API_KEY to run this command\n' })
    expect(out).toContain('curl -sS --no-buffer "$SYN_BASE_URL/openai/v1/chat/completions"')
    expect(out).toContain('-H "Authorization: Bearer $SYN_API_KEY"')
  })

  test.each<[env: Record<string, string>, argv: string[], err: string]>([
    [{}, [], 'syn: set SYN_API_KEY to run this command\n'],
    [{ SYN_API_KEY: testKey }, [], ''],
    [{}, ['--sandbox'], 'syn: set SYN_BASE_URL and SYN_API_KEY to run this command\n'],
  ])('a stored key is not printed; %j %j', async (env, argv, err) => {
    const home = homeWithProfile({ 'base-url': 'https://api.example', 'api-key': storedKey })
    const outcome = await runSyn(['chat', '--curl', ...argv, 'hi'], { env: { HOME: home, ...env } })
    expect(outcome).toMatchObject({ code: 0, err })
    expect(outcome.out).not.toContain(storedKey)
  })
})
