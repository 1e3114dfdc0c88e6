/** The key is for one origin: a redirect within it is followed, any other is refused. */

import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService, type Answer } from '../helpers/service.ts'

const hi = events(chatAnswer(['Hi']))

function redirect(status: number, location: string): Answer {
  return (_asked, response) => {
    response.writeHead(status, { location, 'content-type': 'text/html' })
    response.end('<p>Moved</p>')
  }
}

test.each([307, 308])('%i to the same origin is followed with method, key and body', async (status) => {
  await using service = await startService(redirect(status, '/elsewhere?x=1'), hi)
  const outcome = await runSyn(['chat', 'hi'], { env: service.env })
  expect(outcome).toEqual({ code: 0, out: 'Hi\n', err: '' })
  const [first, second] = service.asked
  expect(second?.path).toBe('/elsewhere?x=1')
  expect({ method: second?.method, body: second?.body }).toEqual({ method: first?.method, body: first?.body })
  expect(second?.headers.authorization).toBe(first?.headers.authorization)
})

test('an absolute URL of the same origin is followed', async () => {
  await using service = await startService(
    (_asked, response) => redirect(307, `${service.baseUrl}/there`)(_asked, response),
    hi,
  )
  expect(await runSyn(['chat', 'hi'], { env: service.env })).toMatchObject({ code: 0, out: 'Hi\n' })
  expect(service.asked.map(({ path }) => path)).toEqual(['/openai/v1/chat/completions', '/there'])
})

test.each([301, 302, 303, 307, 308])('%i to another origin is refused, and nothing is sent there', async (status) => {
  await using other = await startService(hi)
  await using service = await startService(redirect(status, `${other.baseUrl}/take?it=all`))
  const { code, out, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, out }).toEqual({ code: 6, out: '' })
  expect(err).toBe(
    `syn: ${service.baseUrl}: refusing the redirect to ${other.baseUrl}/take: the API key is only for ${service.baseUrl}\n` +
      'hint: if the service has moved, use syn login to store its new base URL\n',
  )
  expect({ here: service.asked.length, there: other.asked.length }).toEqual({ here: 1, there: 0 })
})

test.each([
  ['from POST to GET', 302, '/elsewhere', '/elsewhere: status 302 changes POST to GET'],
  ['to another scheme', 307, 'file:///etc/passwd', 'refusing the redirect to file:///etc/passwd: the API key'],
  ['to an invalid URL', 307, 'http://', 'refusing the redirect to an invalid URL: the API key'],
])('a redirect %s is refused', async (_what, status, location, message) => {
  await using service = await startService(redirect(status, location), hi)
  const { code, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, requests: service.asked.length }).toEqual({ code: 6, requests: 1 })
  expect(err).toContain(message)
})

test("a redirect's own body is not waited for", async () => {
  const first = new EventEmitter()
  const closed = once(first, 'closed')
  await using service = await startService(
    (_asked, response) => {
      response.on('close', () => first.emit('closed'))
      response.writeHead(307, { location: '/there' }).write('Moved')
    },
    async (asked, response) => {
      await closed
      return hi(asked, response)
    },
  )
  expect(await runSyn(['chat', 'hi'], { env: service.env })).toMatchObject({ code: 0, out: 'Hi\n' })
})

test('a redirect loop ends', async () => {
  await using service = await startService(redirect(307, '/openai/v1/chat/completions'))
  const { code, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, err }).toEqual({ code: 6, err: `syn: ${service.baseUrl}: too many redirects\n` })
  expect(service.asked.length).toBeLessThan(10)
})

test('a redirect status without a target is an error like any other', async () => {
  await using service = await startService((_asked, response) => void response.writeHead(304).end())
  const { code, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, err }).toEqual({ code: 6, err: 'syn: the service returned 304 Not Modified\n' })
})
