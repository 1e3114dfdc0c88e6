/** `--dry-run` and `--curl`: print the request instead of sending it, without needing a key or a base URL. */

import { describe, expect, test } from 'vitest'
import { chat } from '../../helpers/chat.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { testKey } from '../../helpers/service.ts'

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
    const { out, err, asked } = await chat(['--dry-run', 'hi'])
    expect({ asked, err }).toEqual({
      asked: [],
      err: expect.stringMatching(/^syn: POST http:\/\/127\.0\.0\.1:\d+\/openai\/v1\/chat\/completions\n$/),
    })
    expect(JSON.parse(out)).toEqual(body)
  })

  test.each([[['--dry-run']], [['--curl']], [['--dry-run', '--debug']], [['--curl', '--debug']]])(
    'the key is not shown by %j, not even as part of the prompt',
    async (flags) => {
      const { out, err } = await chat([...flags, `my key is ${testKey}, isn't it?`])
      expect(out + err).not.toContain(testKey)
    },
  )
})

describe('--curl', () => {
  test('needs neither key nor base URL', async () => {
    const { code, out, err } = await runSyn(['chat', '--curl', 'hi'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('curl -sS --no-buffer "$SYN_BASE_URL/openai/v1/chat/completions"')
    expect(out).toContain('-H "Authorization: Bearer $SYN_API_KEY"')
  })
})
