/** The URLs of requests, by base URL, and the replies of services that lack the endpoint. */

import { describe, expect, test } from 'vitest'
import { fastApiNotFound, playBack, startForeignService } from '../helpers/foreign.ts'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { found } from '../helpers/search.ts'
import { json, startService, type Answer, type Service } from '../helpers/service.ts'

const quotas = { subscription: { limit: 500, requests: 12 } }

function ask({ env }: Service, argv: readonly string[], base: string, home = emptyFolder()): Promise<Outcome> {
  return runSyn(['--retries', '0', ...argv], { env: { ...env, SYN_BASE_URL: env.SYN_BASE_URL + base, HOME: home } })
}

function routesOf({ asked }: Service): string[] {
  return asked.splice(0).map(({ method, path }) => `${method} ${path}`)
}

const recordings = [
  'llama-chat-stream',
  'llama-complete-stream-logprobs',
  'llama-embeddings',
  'llama-messages-stream',
  'llama-count-tokens',
  'llama-models',
]

/** A command for each operation that a service of this kind has, and its path below `/v1`. */
const compatible: readonly (readonly [path: string, argv: readonly string[]])[] = [
  ['POST /chat/completions', ['chat', '-m', 'hf:a/b', 'hi']],
  ['POST /completions', ['complete', '-m', 'hf:a/b', 'hi']],
  ['POST /embeddings', ['embed', '-m', 'hf:a/b', 'a', 'b']],
  ['POST /messages', ['messages', '-m', 'hf:a/b', 'hi']],
  ['POST /messages/count_tokens', ['count-tokens', '-m', 'hf:a/b', 'hi']],
  ['GET /models', ['models']],
]

describe('a base URL that ends in /v1 is the root of the endpoints', () => {
  test.each(compatible)('%s', async (route, argv) => {
    await using service = await startForeignService(recordings, { root: '/v1', prefix: '/team' })
    const { code, err } = await ask(service, argv, '/team/v1')
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(routesOf(service)).toEqual([route.replace(' ', ' /team/v1')])
  })

  test('in --curl and --dry-run', async () => {
    const url = 'https://api.example.com/v1/chat/completions'
    const env = { SYN_BASE_URL: 'https://api.example.com/v1/' }
    expect((await runSyn(['chat', 'hi', '--curl'], { env })).out).toContain(`'${url}'`)
    expect((await runSyn(['chat', 'hi', '--dry-run'], { env })).err).toContain(`POST ${url}\n`)
  })

  test.each([
    ['quota', ['quota'], json(quotas), ['GET /v1/v2/quotas', 'GET /v2/quotas']],
    [
      'search',
      ['search', 'tower'],
      json(found),
      ['POST /v1/search', 'POST /v1/v2/search', 'POST /search', 'POST /v2/search'],
    ],
  ] as const)(
    '%s is tried below it, then next to it, and the URL that answered is kept',
    async (_name, argv, answer, urls) => {
      for (const [index, url] of urls.entries()) {
        const home = emptyFolder()
        await using service = await startForeignService([], { others: { [url]: answer } })
        expect((await ask(service, argv, '/v1', home)).code).toBe(0)
        expect(routesOf(service)).toEqual(urls.slice(0, index + 1))
        expect((await ask(service, argv, '/v1', home)).code).toBe(0)
        expect(routesOf(service)).toEqual([url])
        expect((await ask(service, [...argv, '--curl'], '/v1', home)).out).toContain(`${url.replace(/.* /, '')}'`)
      }
    },
  )

  const refused = json({ error: 'Forbidden' }, 403)
  const webPage: Answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>App</title><body>Welcome</body>')
  }

  test.each([
    ['403, as of a gateway that does not know the path', refused],
    ['a web page', webPage],
  ])('%s at one of them does not end the search', async (_what, notFound) => {
    const home = emptyFolder()
    await using service = await startForeignService([], { notFound, others: { 'GET /v2/quotas': json(quotas) } })
    expect(await ask(service, ['quota'], '/v1', home)).toMatchObject({ code: 0, err: '' })
    expect(routesOf(service)).toEqual(['GET /v1/v2/quotas', 'GET /v2/quotas'])
    expect((await ask(service, ['quota'], '/v1', home)).code).toBe(0)
    expect(routesOf(service)).toEqual(['GET /v2/quotas'])
  })

  test.each([
    ['a refusal', refused, 3, 'syn: the service returned 403 Forbidden\nhint: check the API key'],
    ['a web page', webPage, 6, 'syn: the service sent a web page instead of JSON: '],
    [
      'that it is missing, with every URL',
      fastApiNotFound,
      4,
      '/v2/search, nor at /v1/search, /v1/v2/search, /search: 404 Not Found\nhint: check the base URL',
    ],
  ] as const)('if none of them answers, the error is %s', async (_what, answer, code, words) => {
    await using service = await startForeignService([], {
      notFound: fastApiNotFound,
      others: { 'POST /v1/v2/search': answer },
    })
    const outcome = await ask(service, ['search', 'tower'], '/v1')
    expect(outcome).toEqual({ code, out: '', err: expect.stringContaining(words) })
    expect(service.asked).toHaveLength(4)
  })

  test('a retry leaves out those that were refused', async () => {
    await using service = await startForeignService([], {
      notFound: refused,
      others: { 'POST /v2/search': json({ error: 'busy' }, 503) },
    })
    const { code } = await ask(service, ['search', '--retries', '3', 'tower'], '/v1')
    expect(code).toBe(6)
    expect(routesOf(service)).toEqual([
      'POST /v1/search',
      'POST /v1/v2/search',
      'POST /search',
      ...Array<string>(4).fill('POST /v2/search'),
    ])
  })
})

const commands = [...compatible.map(([, argv]) => argv), ['quota'], ['search', 'tower']].map(
  (argv) => [argv.join(' '), argv] as const,
)

describe('a service without the endpoint: exit 4, the URL, and a hint about the base URL', () => {
  test.each(commands)('%s', async (_name, argv) => {
    await using service = await startForeignService([], { notFound: playBack('llama-404-unknown-route') })
    const { code, out, err } = await ask(service, argv, '')
    const { method, path } = service.asked.at(-1) ?? {}
    const nor = argv[0] === 'search' ? ', nor at /search' : ''
    expect({ code, out, err }).toEqual({
      code: 4,
      out: '',
      err:
        `syn: the service has no endpoint ${method} ${service.baseUrl}${path}${nor}: File Not Found (404 Not Found)\n` +
        'hint: check the base URL: syn config get base-url\n',
    })
  })

  const listed = json({ data: [{ id: 'hf:a/b' }] })
  const unclear = json({ error: 'Not found' }, 404)

  test('also if the words are unclear, and the model list has the model', async () => {
    await using service = await startService((asked, response) =>
      (asked.method === 'GET' ? listed : unclear)(asked, response),
    )
    const { code, out, err } = await ask(service, ['embed', '-m', 'hf:a/b', 'hi'], '/v1')
    expect({ code, out }).toEqual({ code: 4, out: '' })
    expect(err).toBe(
      `syn: the service has no endpoint POST ${service.baseUrl}/v1/embeddings: Not found (404 Not Found)\n`,
    )
  })

  test('405 has the same meaning', async () => {
    await using service = await startService(json({ error: 'No' }, 405))
    const { code, err } = await ask(service, ['chat', 'hi'], '')
    expect({ code, err }).toEqual({
      code: 4,
      err:
        `syn: the service has no endpoint POST ${service.baseUrl}/openai/v1/chat/completions: No (405 Method Not Allowed)\n` +
        'hint: check the base URL: syn config get base-url\n',
    })
  })

  test('--fallback does not ask the alias', async () => {
    await using service = await startService((asked, response) =>
      (asked.method === 'GET' ? listed : unclear)(asked, response),
    )
    const { code, err } = await ask(service, ['chat', '--fallback', '-m', 'hf:a/b', 'hi'], '')
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('the service has no endpoint POST') })
    expect(routesOf(service).filter((route) => route.startsWith('POST'))).toHaveLength(1)
  })
})
