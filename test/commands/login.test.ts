import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from '../helpers/run-syn.ts'
import { fastApiNotFound, playBack, startForeignService } from '../helpers/foreign.ts'
import { type Answer, json, startService, testKey, type Service } from '../helpers/service.ts'
import { configPath, storedIn, storedKey } from '../settings/stored.ts'

const quotas = { subscription: { limit: 500, requests: 12, renewsAt: '2026-08-19T20:18:11.436Z' } }

async function login(home: string, argv: string[], options: RunOptions = {}): Promise<Outcome> {
  const outcome = await runSyn(['login', '--retries=0', ...argv], { ...options, env: { HOME: home, ...options.env } })
  for (const key of [testKey, storedKey]) expect(outcome.out + outcome.err).not.toContain(key)
  return outcome
}

/** A terminal on which this is typed. */
function typing(stdin: string): RunOptions {
  return { stdin, stdinKind: 'terminal', isTerminal: true }
}

async function accepting(): Promise<Service> {
  return startService(json(quotas))
}

describe('what is stored', () => {
  test('a key from standard input, once it is verified', async () => {
    await using service = await accepting()
    const home = emptyFolder()
    const { code, out, err } = await login(home, ['--with-key', '--base-url', `${service.baseUrl}/openai/v1/`], {
      stdin: ` ${testKey}\r\n`,
    })
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toBe(
      `syn: stored API key and base URL ${service.baseUrl} as profile default in ${configPath(home)}\n` +
        'syn: the key works: 488 of 500 requests left\n',
    )
    expect(storedIn(home)).toEqual({ profiles: { default: { 'base-url': service.baseUrl, 'api-key': testKey } } })
    expect(service.asked.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
      ['GET', '/v2/quotas', `Bearer ${testKey}`],
    ])
  })

  describe('a key checked with the model list, if there is no quota', () => {
    /** Lists its models to those who have the key. */
    const guarded: Answer = (asked, response) => {
      const isKnown = asked.headers.authorization === `Bearer ${testKey}`
      return (isKnown ? playBack('llama-models') : playBack('llama-401'))(asked, response)
    }
    const notFounds: [string, Answer][] = [
      ['llama.cpp', playBack('llama-404-unknown-route')],
      ['FastAPI', fastApiNotFound],
    ]
    test.each(notFounds)('%s', async (_what, notFound) => {
      for (const [base, route] of [
        ['', 'GET /openai/v1/models'],
        ['/v1', 'GET /v1/models'],
      ] as const) {
        await using service = await startForeignService([], { notFound, others: { [route]: guarded } })
        const home = emptyFolder()
        const baseUrl = service.baseUrl + base
        const { code, err } = await login(home, ['--with-key', '--base-url', baseUrl], { stdin: testKey })
        expect({ code, err }).toEqual({
          code: 0,
          err:
            `syn: stored API key and base URL ${baseUrl} as profile default in ${configPath(home)}\n` +
            'syn: the service has no quota; it sent the model list for this key, which it may send without one\n',
        })
        expect(storedIn(home)).toEqual({ profiles: { default: { 'base-url': baseUrl, 'api-key': testKey } } })
      }
    })

    test('an open list does not check the key, but an unknown path may refuse it, as of llama.cpp', async () => {
      const notFound: Answer = (asked, response) =>
        playBack(asked.headers.authorization === `Bearer ${testKey}` ? 'llama-404-unknown-route' : 'llama-401')(
          asked,
          response,
        )
      await using service = await startForeignService(['llama-models'], { root: '/v1', notFound })
      const argv = ['--with-key', '--base-url', `${service.baseUrl}/v1`]
      const { code, err } = await login(emptyFolder(), argv, { stdin: testKey })
      expect({ code, err }).toEqual({
        code: 0,
        err: expect.stringContaining(
          'syn: the service has no quota; it sent the model list for this key, which it may send without one\n',
        ),
      })
      const home = emptyFolder()
      expect(await login(home, argv, { stdin: storedKey })).toMatchObject({ code: 3 })
      expect(existsSync(configPath(home))).toBe(false)
    })
  })

  test.each<[what: string, status: number, code: number, words: string]>([
    ['answers', 200, 0, 'the key works (checked with an embedding; the service reports no quota)'],
    ['refuses the key', 401, 3, 'nothing was stored; check the API key'],
    ['refuses it with 403', 403, 3, 'nothing was stored; check the API key'],
    ['is missing', 404, 0, 'but not tried: the service reports no quota, and gave no embedding'],
    ['fails', 500, 0, 'but not tried: the service reports no quota, and gave no embedding'],
  ])('with an empty quota record, where the documented embedding %s', async (_what, status, code, words) => {
    await using service = await startService((asked, response) =>
      (asked.path === '/v2/quotas' ? json({}) : json(status === 200 ? { data: [] } : { error: 'No' }, status))(
        asked,
        response,
      ),
    )
    const home = emptyFolder()
    const outcome = await login(home, ['--with-key', '--base-url', service.baseUrl], { stdin: testKey })
    expect(outcome).toMatchObject({ code, err: expect.stringContaining(words) as string })
    expect(service.asked.map(({ path, json: body }) => [path, body])).toEqual([
      ['/v2/quotas', undefined],
      ['/openai/v1/embeddings', { model: 'hf:nomic-ai/nomic-embed-text-v1.5', input: 'word' }],
    ])
    if (code === 0) expect(storedIn(home).profiles.default?.['api-key']).toBe(testKey)
    else expect(existsSync(configPath(home))).toBe(false)
  })

  test('unchecked with --no-verify', async () => {
    const home = emptyFolder()
    const { code, err } = await login(home, ['--no-verify', '--with-key', '--base-url=https://api.invalid'], {
      stdin: testKey,
    })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('the API key was not checked') })
    const command = ['--no-verify', '--key-command', 'exit 1', '--base-url=https://api.invalid']
    expect((await login(home, command)).code).toBe(0)
    expect(storedIn(home).profiles.default).toEqual({ 'base-url': 'https://api.invalid', 'key-command': 'exit 1' })
  })

  test('a key that is too short to be masked, with a notice', async () => {
    const home = emptyFolder()
    const argv = ['--no-verify', '--with-key', '--base-url=https://api.invalid']
    const notice = 'the API key is too short to be masked in errors'
    expect((await login(home, argv, { stdin: testKey })).err).not.toContain(notice)
    // A text beside a key that is masked counts, too.
    expect((await login(home, [...argv, '--profile=short'], { stdin: 'sk-1234' })).err).toContain(notice)
  })

  test('allow-http, for the base URL it was given with', async () => {
    const home = emptyFolder()
    const argv = ['--no-verify', '--with-key', '--base-url=http://api.invalid']
    const { code, err } = await login(home, [...argv, '--allow-http'], { stdin: testKey })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('with plain http allowed') })
    expect(storedIn(home).profiles.default?.['allow-http']).toBe(true)
    const refused = await login(home, argv, { stdin: testKey })
    expect(refused).toEqual({ code: 2, out: '', err: expect.stringContaining('--allow-http') })
    argv[2] = '--base-url=https://api.invalid'
    expect((await login(home, argv, { stdin: testKey })).code).toBe(0)
    expect(storedIn(home).profiles.default).not.toHaveProperty('allow-http')
  })

  test('a notice names variables that override it', async () => {
    await using service = await accepting()
    const env = { SYN_API_KEY: storedKey, SYN_BASE_URL: service.baseUrl }
    const { code, err } = await login(emptyFolder(), ['--with-key'], { stdin: testKey, env })
    expect(code).toBe(0)
    expect(service.asked[0]?.headers.authorization).toBe(`Bearer ${testKey}`)
    expect(err).toContain('syn: SYN_API_KEY is set and overrides the stored value\n')
    expect(err).toContain('syn: SYN_BASE_URL is set and overrides the stored value\n')
  })
})

describe('nothing is stored', () => {
  const unchecked = 'nothing was stored; use --no-verify to store the base URL and API key unchecked\n'

  test.each([
    [
      'when the key is wrong',
      json({ error: 'bad key' }, 401),
      3,
      'bad key (401 Unauthorized)\nhint: nothing was stored; check the API key\n',
    ],
    ['when the key is forbidden', json({ error: `no: ${testKey}` }, 403), 3, 'no: [key] (403 Forbidden)'],
    [
      'when there is no such service',
      json('<html>nothing</html>', 404),
      4,
      'hint: nothing was stored; check the base URL, or use --no-verify to store it unchecked\n',
    ],
    [
      'when the service is too busy',
      json({ error: 'busy' }, 503, { 'retry-after': '30' }),
      6,
      `hint: the service asks to retry after 30 s; ${unchecked}`,
    ],
  ])('%s', async (_what, answer, code, message) => {
    await using service = await startService(answer)
    const home = emptyFolder()
    const outcome = await login(home, ['--with-key', '--base-url', service.baseUrl], { stdin: testKey })
    expect(outcome).toEqual({ code, out: '', err: expect.stringContaining(message) })
    expect(existsSync(configPath(home))).toBe(false)
  })

  test.each([
    ['refuses the key', playBack('llama-401'), 3, 'syn: Invalid API Key (401 Unauthorized)\nhint: nothing was stored;'],
    ['fails', json({ error: 'no' }, 500), 6, `syn: no (500 Internal Server Error)\nhint: ${unchecked}`],
  ])('when there is no quota, and the model list %s', async (_what, answer, code, message) => {
    await using service = await startForeignService([], { others: { 'GET /openai/v1/models': answer } })
    const home = emptyFolder()
    const outcome = await login(home, ['--with-key', '--base-url', service.baseUrl], { stdin: testKey })
    expect(outcome).toEqual({ code, out: '', err: expect.stringContaining(message) })
    expect(existsSync(configPath(home))).toBe(false)
  })

  test('when the connection is refused', async () => {
    const service = await accepting()
    await service.close()
    const home = emptyFolder()
    const outcome = await login(home, ['--with-key', '--base-url', service.baseUrl], { stdin: testKey })
    expect(outcome).toEqual({ code: 6, out: '', err: expect.stringContaining('connection refused') })
    expect(existsSync(configPath(home))).toBe(false)
  })

  test('when there is neither quota nor model list, as llama.cpp says', async () => {
    await using service = await startForeignService([], { notFound: playBack('llama-404-unknown-route') })
    const home = emptyFolder()
    const outcome = await login(home, ['--with-key', '--base-url', service.baseUrl], { stdin: testKey })
    expect(outcome).toEqual({ code: 4, out: '', err: expect.stringMatching(/404 Not Found\)?\nhint: nothing was/) })
    expect(outcome.err).toContain(`syn: the service has no endpoint GET ${service.baseUrl}/openai/v1/models: `)
    expect(existsSync(configPath(home))).toBe(false)
  })

  const url = '--base-url=https://api.invalid'
  test.each([
    [[], {}, 2, 'cannot ask for the base URL and API key without a terminal\nhint: use --base-url URL with --with-key'],
    [[url, '--with-key'], { stdin: '' }, 2, 'standard input: the key is empty'],
    [[url, '--with-key'], { stdin: 'two words' }, 2, 'standard input: the key contains spaces'],
    [
      [url, '--with-key', '--key-command=echo x'],
      { stdin: testKey },
      2,
      '--with-key and --key-command cannot be combined',
    ],
    [['--with-key', '--sandbox'], { stdin: testKey }, 2, 'the sandbox needs no login'],
    [['--base-url=nowhere', '--with-key'], { stdin: testKey }, 2, 'does not start with https'],
    [[url, testKey], {}, 2, 'login takes no arguments'],
  ])('after %j with %j', async (argv, options, code, message) => {
    const home = emptyFolder()
    const outcome = await login(home, argv, options)
    expect(outcome).toEqual({ code, out: '', err: expect.stringMatching(/^syn: .+\n(hint: .+\n)?$/) })
    expect(outcome.err).toContain(message)
    expect(existsSync(configPath(home))).toBe(false)
  })
})

describe('at a terminal', () => {
  test('the key is prompted for and hidden', async () => {
    await using service = await accepting()
    const home = emptyFolder()
    const { code, out, err } = await login(home, ['--base-url', service.baseUrl], typing(`${testKey}\r`))
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: expect.stringContaining('API key (hidden)') })
    expect(storedIn(home).profiles.default?.['api-key']).toBe(testKey)
  })

  test.each([
    ['Ctrl-C', 130, '\x03'],
    ['Ctrl-D', 130, '\x04'],
    ['the end of the terminal', 129, ''],
  ])('%s exits with %i and stores nothing', async (_what, status, keys) => {
    const home = emptyFolder()
    for (const argv of [[], ['--base-url=https://api.invalid']]) {
      const { code, out } = await login(home, argv, typing(keys))
      expect({ code, out }).toEqual({ code: status, out: '' })
    }
    expect(existsSync(configPath(home))).toBe(false)
  })
})
