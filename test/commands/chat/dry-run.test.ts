/** `--dry-run` and `--curl`: print the request instead of sending it, without needing a key or a base URL. */

import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { environment } from '../../helpers/program.ts'
import { chat } from '../../helpers/chat.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { chatAnswer, events, startService, testKey } from '../../helpers/service.ts'

const run = promisify(execFile)
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

  test.skipIf(spawnSync('curl', ['--version']).error).each<[title: string, argv: string[]]>([
    ['plain', ['hi']],
    ['with all that shells find special', ['$HOME `ls` "double" \'single\' \\ !\nJSON\n%s']],
    ['with other fields', ['--temperature', '0.5', '--stop', "it's", 'hi']],
  ])('works in a shell, where curl is installed: %s', async (_title, argv) => {
    await using service = await startService(events(chatAnswer(['Hello'])))
    const { SYN_BASE_URL } = service.env
    for (const env of [{}, { SYN_BASE_URL }]) {
      const { out } = await runSyn(['chat', '--curl', ...argv], { env })
      const { stdout } = await run('sh', ['-c', out], { env: environment(service) })
      expect(stdout).toBe(chatAnswer(['Hello']))
    }
    await runSyn(['chat', ...argv], { env: service.env })
    const [first, second, own] = service.asked
    for (const asked of [first, second]) {
      expect(asked).toMatchObject({ method: own?.method, path: own?.path, json: own?.json })
      expect(asked?.headers.authorization).toBe(`Bearer ${testKey}`)
      expect(asked?.headers['content-type']).toBe('application/json')
    }
  })
})
