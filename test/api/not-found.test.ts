/** What a reply says is missing: the endpoint, the model, or neither. Bodies as servers and gateways send them. */

import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { connectionFailure } from '../../src/api/failures.ts'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { certificate, trustCertificate } from '../helpers/watched-server.ts'
import { json, startService } from '../helpers/service.ts'

const model = 'hf:a/b'

interface Reply {
  readonly status?: number
  readonly body: string
  readonly type?: string
}

/** @param models The list; without it, the service has none. */
async function ask({ status = 404, body, type = 'application/json' }: Reply, models?: object[]): Promise<Outcome> {
  await using service = await startService((asked, response) => {
    if (models && asked.path.endsWith('/models')) return json({ data: models })(asked, response)
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  })
  return await runSyn(['chat', '-m', model, 'hi', '--retries', '0'], { env: service.env })
}

const path = '/openai/v1/chat/completions'

test.each([
  ['Express', { body: `<!DOCTYPE html><pre>Cannot POST ${path}</pre>`, type: 'text/html' }],
  ['Fastify', { body: `{"message":"Route POST:${path} not found","error":"Not Found","statusCode":404}` }],
  [
    'Spring 6',
    { body: `{"type":"about:blank","title":"Not Found","status":404,"detail":"No static resource ${path.slice(1)}."}` },
  ],
  ['Laravel', { body: `{"message":"The route ${path.slice(1).replaceAll('/', '\\/')} could not be found."}` }],
  ['Kong', { body: '{"message":"no Route matched with those values","request_id":"1"}' }],
  ['AWS API Gateway, REST', { status: 403, body: '{"message":"Missing Authentication Token"}' }],
  ['OpenAI', { body: `{"error":{"message":"Invalid URL (POST ${path})","type":"invalid_request_error"}}` }],
  ['Go', { body: '404 page not found', type: 'text/plain' }],
  ['MuleSoft', { body: `No listener for endpoint: ${path}`, type: 'text/plain' }],
  ['words about a model list', { body: '{"error":"No such endpoint. See GET /v1/models for the model list."}' }],
  ['Cloudflare', { status: 400, body: '{"errors":[{"code":7000,"message":"No route for that URI"}]}' }],
])('%s: no endpoint, whatever the list has', async (_what, reply) => {
  const { code, err } = await ask(reply, [{ id: 'hf:c/d' }])
  expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('syn: the service has no endpoint POST ') })
  expect(err).toContain('hint: check the base URL')
})

test.each([
  ['ASP.NET', { body: '{"type":"https://tools.ietf.org/html/rfc9110","title":"Not Found","status":404}' }],
  ['AWS API Gateway, HTTP', { body: '{"message":"Not Found"}' }],
  ['no body', { body: '' }],
])('%s says nothing: the model list decides, else both are named', async (_what, reply) => {
  const unsure = await ask(reply)
  expect(unsure).toMatchObject({ code: 4, err: expect.stringMatching(/may not have the endpoint POST .*, or not the/) })
  expect((await ask(reply, [{ id: model }])).err).toContain('syn: the service has no endpoint POST ')
  expect((await ask(reply, [{ id: 'hf:a/b2' }])).err).toContain('may have been rotated out; available: hf:a/b2')
})

test('another message names both, also with the model in the list, and not the base URL that answered', async () => {
  const reply = { body: '{"error":{"message":"No fixture matched","code":"no_fixture_match"}}' }
  const { code, err } = await ask(reply, [{ id: model }])
  expect({ code, err }).toMatchObject({ code: 4, err: expect.stringContaining('syn: No fixture matched (404 Not') })
  expect(err).toMatch(/hint: the service may not have the endpoint POST .*, or not the model hf:a\/b/)
  expect(err).toContain('Use syn models')
  expect(err).not.toContain('check the base URL')
})

test.each([
  ['OpenAI', { body: '{"error":{"message":"It does not exist","param":null,"code":"model_not_found"}}' }],
  ['Anthropic', { body: '{"type":"error","error":{"type":"not_found_error","message":"model: a/b"}}' }],
  ['OpenRouter', { body: '{"error":{"message":"No endpoints found for a/b.","code":404}}' }],
  ['LiteLLM', { status: 400, body: '{"error":{"message":"Invalid model name passed in model=x. Call `/v1/models`"}}' }],
  ['Groq', { status: 400, body: '{"error":{"message":"The model `a/b` has been decommissioned"}}' }],
  ['llama-swap', { status: 400, body: '{"error":"could not find real modelID for hf:a/b"}' }],
])('%s: a model that is gone, with the name of a similar one', async (_what, reply) => {
  const { err } = await ask(reply, [{ id: 'hf:a/b2' }])
  expect(err).toMatch(
    /hint: the (model may have been rotated out|service does not have the model); available: hf:a\/b2/,
  )
  expect((await ask(reply)).err).toContain('-m syn:large:text')
})

test.each([
  ['OpenAI', 'This is not a chat model and thus not supported in the v1/chat/completions endpoint.'],
  ['OpenRouter', 'No endpoints found matching your data policy (Free model publication).'],
])('%s: a model that is there, but not for this request, is neither', async (_what, message) => {
  const { code, err } = await ask({ body: JSON.stringify({ error: { message } }) }, [{ id: 'hf:c/d' }])
  expect({ code, err }).toEqual({ code: 4, err: `syn: ${message} (404 Not Found)\n` })
})

test('403 of Cloudflare: no other key would help', async () => {
  const { code, err } = await ask({ status: 403, body: 'error code: 1020', type: 'text/plain' })
  expect({ code, err }).toEqual({ code: 3, err: 'syn: error code: 1020 (403 Forbidden)\n' })
})

test('the web page of a 403 is not about the key', async () => {
  const body =
    '<html><head><title>Attention Required! | Cloudflare</title></head><body>You have been blocked</body></html>'
  const { code, err } = await ask({ status: 403, body, type: 'text/html' })
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('hint: the web page is of a server in front of'),
  })
})

describe('a service with names that -m does not accept', () => {
  test('names the setting after an alias failed, and before the name is sent', async () => {
    await using service = await startService((asked, response) =>
      (asked.method === 'GET'
        ? json({ data: [{ id: 'gpt-oss-20b.gguf' }] })
        : json({ error: { message: 'The model `x` does not exist.' } }, 404))(asked, response),
    )
    const options = { env: { ...service.env, HOME: emptyFolder() } }
    const { code, err } = await runSyn(['chat', 'hi'], options)
    expect({ code, err }).toEqual({
      code: 4,
      err: expect.stringContaining(
        'hint: the service has other models: gpt-oss-20b.gguf. Use syn config set any-model true to accept them\n',
      ),
    })
    const asked = service.asked.length
    expect(await runSyn(['chat', '-m', 'gpt-oss-20b.gguf', 'hi'], options)).toEqual({
      code: 2,
      out: '',
      err:
        'syn: --model: "gpt-oss-20b.gguf" does not start with hf:, as no model of this service does\n' +
        'hint: use syn config set any-model true to accept any name\n',
    })
    expect(service.asked.length).toBe(asked)
  })
})

test.each([
  ["This model's maximum context length is 8192 tokens", /hint: use syn count-tokens/],
  ["The model hf:a/b no longer accepts the parameter 'functions'.", /^(?!.*hint)/s],
  ['Invalid model parameters: temperature must be less than 2', /^(?!.*hint)/s],
])('400 %j is not about a missing model', async (message, expected) => {
  expect((await ask({ status: 400, body: JSON.stringify({ error: { message } }) })).err).toMatch(expected)
})

test('a cached list counts if the list cannot be had', async () => {
  let hasList = true
  await using service = await startService((asked, response) => {
    const isList = asked.path.endsWith('/models')
    if (isList && hasList) return json({ data: [{ id: 'hf:a/b2' }] })(asked, response)
    return json({ detail: 'Not found.' }, isList ? 500 : 404)(asked, response)
  })
  const options = { env: { ...service.env, HOME: emptyFolder() } }
  expect((await runSyn(['models', '--ids'], options)).code).toBe(0)
  hasList = false
  const { err } = await runSyn(['chat', '-m', model, 'hi', '--retries', '0'], options)
  expect(err).toContain('may have been rotated out; available: hf:a/b2')
})

test('hints name --profile and --base-url, and not a base URL that has answered', async () => {
  await using service = await startService(json({ error: 'Bad key' }, 401))
  const home = emptyFolder()
  const key = { SYN_API_KEY: 'k'.repeat(20), HOME: home }
  const login = ['login', '--with-key', '--no-verify', '--profile', 'work', '--base-url', 'http://127.0.0.1:9']
  expect((await runSyn(login, { env: { HOME: home }, stdin: 'k'.repeat(20) })).code).toBe(0)
  const refused = await runSyn(['chat', 'hi', '--profile', 'work', '--base-url', service.env.SYN_BASE_URL], {
    env: key,
  })
  expect(refused.err).toContain(`use syn login --profile work --base-url ${service.env.SYN_BASE_URL} to store another`)
  const closed = await runSyn(['chat', 'hi', '--profile', 'work', '--retries', '0'], { env: key })
  expect(closed.err).toContain('hint: check the base URL: syn config get base-url --profile work\n')
  const typed = await runSyn(['chat', 'hi', '--base-url', 'http://127.0.0.1:9', '--retries', '0'], { env: key })
  expect(typed.err).toContain('hint: check the base URL: --base-url http://127.0.0.1:9\n')
})

test('a client certificate that is wanted after the handshake of TLS 1.3', async () => {
  const pem = readFileSync(certificate)
  const endTrust = trustCertificate()
  const server = createTlsServer({ key: pem, cert: pem, requestCert: true, rejectUnauthorized: true })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const env = { SYN_API_KEY: 'k'.repeat(20), SYN_BASE_URL: url }
    const { code, err } = await runSyn(['chat', 'hi', '--retries', '0'], { env })
    expect({ code, err }).toEqual({
      code: 6,
      err: `syn: ${url}: the server wants a client certificate, which syn cannot send\n`,
    })
  } finally {
    endTrust()
    server.close()
  }
})

test.each([
  ['CERT_HAS_EXPIRED', 'the TLS certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the TLS certificate is for another host'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'the server refused the TLS handshake'],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'the server speaks only HTTP/2, and syn only HTTP/1.1'],
])('%s in words', (code, words) => {
  const error = Object.assign(new Error(code), { code })
  const { message } = connectionFailure(error, new URL('https://api.example.com/v1'), undefined, false)
  expect(message).toBe(`https://api.example.com: ${words}`)
})
