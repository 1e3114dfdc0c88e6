/** The key is for one origin: a redirect within it is followed, any other is refused. */

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

test('one to the same origin is followed with method, key and body', async () => {
  await using service = await startService(redirect(307, '/elsewhere?x=1'), hi)
  const outcome = await runSyn(['chat', 'hi'], { env: service.env })
  expect(outcome).toEqual({ code: 0, out: 'Hi\n', err: '' })
  const [first, second] = service.asked
  expect(second?.path).toBe('/elsewhere?x=1')
  expect({ method: second?.method, body: second?.body }).toEqual({ method: first?.method, body: first?.body })
  expect(second?.headers.authorization).toBe(first?.headers.authorization)
})

test.each([302, 307])('%i to another origin is refused, and nothing is sent there', async (status) => {
  await using other = await startService(hi)
  await using service = await startService(redirect(status, `${other.baseUrl}/take?it=all`))
  const { code, out, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, out }).toEqual({ code: 6, out: '' })
  expect(err).toBe(
    `syn: ${service.baseUrl}: refusing the redirect to ${other.baseUrl}/take: the API key is only for ${service.baseUrl}\n` +
      'hint: check the base URL: syn config get base-url; if the service has moved, store the new one with syn login --base-url URL\n',
  )
  expect({ here: service.asked.length, there: other.asked.length }).toEqual({ here: 1, there: 0 })
})

test.each([
  ['http://CanaryKeyInCapitals.example/take', 'http://[key].example/take'],
  ['http://user:password@other.example/a?CanaryKeyInCapitals', 'http://other.example/a'],
])('a redirect to %s shows no key, nor what may be secret', async (location, shown) => {
  await using service = await startService(redirect(307, location))
  const { err } = await runSyn(['chat', 'hi'], { env: { ...service.env, SYN_API_KEY: 'CanaryKeyInCapitals' } })
  expect(err.split('\n')[0]).toContain(`refusing the redirect to ${shown}: the API key is only for`)
})
