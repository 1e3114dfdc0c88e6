/** Which failures are retried, and how often. */

import { expect, test } from 'vitest'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, type Answer } from '../helpers/service.ts'

const hi = events(chatAnswer(['Hi']))
const now = { 'retry-after': '0' }
const head = { 'content-type': 'text/event-stream' }

/** Closes the connection without a reply. */
const hangUp: Answer = (_asked, response) => void response.destroy()

/** Sends this much of a stream, then closes the connection. */
function breakAfter(text: string): Answer {
  return (_asked, response) => {
    response.writeHead(200, head)
    response.write(text, () => response.destroy())
  }
}

async function runOn(answers: Answer[], ...argv: string[]): Promise<Outcome & { requests: number }> {
  await using service = await startService(...answers)
  const outcome = await runSyn(['chat', 'hi', ...argv], { env: service.env })
  // A hint may have requested the model list.
  return { ...outcome, requests: service.asked.filter(({ path }) => !path.endsWith('/models')).length }
}

test.each([408, 429, 500, 502, 503, 504, 524, 529])('%i is retried', async (status) => {
  const { code, out, err, requests } = await runOn([json({ error: 'Busy' }, status, now), hi])
  expect({ code, out, requests }).toEqual({ code: 0, out: 'Hi\n', requests: 2 })
  expect(err).toMatch(/^syn: Busy \(\d+.*\); retrying in 0\.0 s \(1 of 3\)\n$/)
})

test.each([
  [400, 1],
  [401, 3],
  [402, 5],
  [403, 3],
  [404, 4],
  [405, 1],
  [413, 1],
  [422, 1],
  [501, 6],
])('%i is not retried and ends with %i', async (status, code) => {
  const outcome = await runOn([json({ error: 'No.' }, status, now), hi])
  expect(outcome).toMatchObject({ code, out: '', requests: 1 })
  expect(outcome.err).toMatch(/^syn: No\. \(/)
})

test('three retries by default', async () => {
  const { code, out, err, requests } = await runOn([json({ error: 'Down' }, 503, now)])
  expect({ code, out, requests }).toEqual({ code: 6, out: '', requests: 4 })
  expect(err.split('\n').at(-2)).toBe('syn: Down (503 Service Unavailable)')
})

test.each([
  [['--retries', '0'], 1],
  [['--retries', '1'], 2],
  [['--retries', '5', '--timeout', '0'], 6],
])('%j makes %i requests', async (argv, requests) => {
  expect(await runOn([json({}, 503, { 'retry-after': '0.01' })], ...argv)).toMatchObject({ code: 6, requests })
})

test('failures of different kinds count together', async () => {
  const answers = [json({}, 503, now), json({}, 529, now), json({}, 408, now), json({}, 500, now), hi]
  expect(await runOn(answers)).toMatchObject({ code: 6, requests: 4 })
})

test('--quiet silences the notices', async () => {
  expect(await runOn([json({}, 503, now), hi], '-q')).toMatchObject({ code: 0, out: 'Hi\n', err: '' })
})

const role = chatAnswer([]).split('\n\n')[0] ?? ''
const text = chatAnswer(['Hel', 'lo']).split('\n\n').slice(0, 3).join('\n\n')

// Together, because each of them waits half a second.
test.concurrent.each([
  ['a connection that closes without an answer', [hangUp]],
  ['one that breaks before any text', [breakAfter(`${role}\n\n`)]],
  ['an answer that ends before any text', [events(`${role}\n\n`)]],
  ['an error of the backend before any text', [events('data: {"error":"Error from inference backend: lost"}\n\n')]],
  ['an overload under its own name', [events('event: error\ndata: {"error":{"message":"Overloaded"}}\n\n')]],
  ['an overload before any text', [events('data: {"error":{"type":"overloaded_error","message":"Overloaded"}}\n\n')]],
])('%s is retried', async (_what, answers) => {
  const { err, ...outcome } = await runOn([...answers, hi])
  expect(outcome).toEqual({ code: 0, out: 'Hi\n', requests: 2 })
  expect(err).toMatch(/^syn: .+; retrying in 0\.\d s \(1 of 3\)\n$/)
})

test.each([
  ['a connection that breaks', breakAfter(`${text}\n\n`), 'connection closed'],
  ['an answer that ends', events(`${text}\n\n`), 'the stream ended before the answer was complete'],
  ['an overload', events(`${text}\n\ndata: {"error":"Overloaded"}\n\n`), 'Overloaded'],
])('%s after some text is not retried, and the text is printed', async (_what, answer, reason) => {
  const { err, ...outcome } = await runOn([answer, hi])
  expect(outcome).toEqual({ code: 7, out: 'Hello', requests: 1 })
  expect(err).toMatch(new RegExp(`^syn: the answer was cut short: .*${reason}\\n$`))
})

test('an attempt that is retried prints nothing', async () => {
  const first = breakAfter('data: {"id":"first","model":"first","choices":[]}\n\n')
  const { out } = await runOn([first, hi], '--jsonl')
  expect(out).not.toContain('first')
  expect(out.split('\n').filter(Boolean)).toHaveLength(3)
})

test('a connection that breaks after the finish reason does not matter', async () => {
  const whole = chatAnswer(['Hi']).replace('data: [DONE]\n\n', '')
  expect(await runOn([breakAfter(whole), hi])).toEqual({ code: 0, out: 'Hi\n', err: '', requests: 1 })
})

test('an error after the finish reason is reported', async () => {
  const whole = chatAnswer(['Hi']).replace('[DONE]', '{"error":"Could not count"}')
  expect(await runOn([events(whole), hi])).toMatchObject({ code: 7, out: 'Hi', requests: 1 })
})

test('a refused connection is reported with the URL', async () => {
  const service = await startService(hi)
  await service.close()
  const { code, err } = await runSyn(['chat', 'hi', '--retries', '0'], { env: service.env })
  expect({ code, err }).toEqual({
    code: 6,
    err: `syn: ${service.baseUrl}: connection refused\nhint: check the base URL: syn config get base-url\n`,
  })
})

test('a reply that is not HTTP is reported', async () => {
  const notHttp: Answer = (_asked, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n')
  expect(await runOn([notHttp])).toMatchObject({
    code: 6,
    requests: 1,
    err: expect.stringContaining('the reply is not HTTP'),
  })
})
