/** How often a failure is retried, and what a retry leaves. Which are: `test/faults/`. */

import { expect, test } from 'vitest'
import { leapingNow } from '../helpers/clock.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, testKey, type Answer } from '../helpers/service.ts'

const hi = events(chatAnswer(['Hi']))
const head = { 'content-type': 'text/event-stream' }

/** Sends this much of a stream, then closes the connection. */
function breakAfter(text: string): Answer {
  return (_asked, response) => {
    response.writeHead(200, head)
    response.write(text, () => response.destroy())
  }
}

async function runOn(answers: Answer[], ...argv: string[]): Promise<Outcome & { requests: number }> {
  await using service = await startService(...answers)
  const outcome = await runSyn(['chat', 'hi', ...argv], { env: service.env, now: leapingNow() })
  // A hint may have requested the model list.
  return { ...outcome, requests: service.asked.filter(({ path }) => !path.endsWith('/models')).length }
}

test('a retry is announced', async () => {
  const { code, out, err, requests } = await runOn([json({ error: 'Busy' }, 529), hi])
  expect({ code, out, requests }).toEqual({ code: 0, out: 'Hi\n', requests: 2 })
  expect(err).toMatch(/^syn: Busy \(\d+.*\); retrying in 0\.\d s \(1 of 3\)\n$/)
})

test.each([
  [[], 4],
  [['--retries', '0'], 1],
  [['--retries', '5', '--timeout', '0'], 6],
])('%j makes %i requests', async (argv, requests) => {
  expect(await runOn([json({}, 503)], ...argv)).toMatchObject({ code: 6, requests })
})

test('--quiet silences the notices', async () => {
  expect(await runOn([json({}, 503), hi], '-q')).toMatchObject({ code: 0, out: 'Hi\n', err: '' })
})

test.each([
  ['an error of the backend before any text', 'data: {"error":"Error from inference backend: lost"}\n\n'],
  ['an overload under its own name', 'event: error\ndata: {"error":{"message":"Overloaded"}}\n\n'],
])('%s is retried', async (_what, answer) => {
  const { err, ...outcome } = await runOn([events(answer), hi])
  expect(outcome).toEqual({ code: 0, out: 'Hi\n', requests: 2 })
  expect(err).toMatch(/^syn: .+; retrying in 0\.\d s \(1 of 3\)\n$/)
})

test('an attempt that is retried prints nothing', async () => {
  const first = breakAfter('data: {"id":"first","model":"first","choices":[]}\n\n')
  const { out } = await runOn([first, hi], '--jsonl')
  expect(out).not.toContain('first')
  expect(out.split('\n').filter(Boolean)).toHaveLength(3)
})

test('an attempt is not retried after some of the reasoning, which would be shown twice', async () => {
  const chunk = { choices: [{ index: 0, delta: { reasoning_content: 'Hm' } }] }
  const { code, out, err, requests } = await runOn(
    [breakAfter(`data: ${JSON.stringify(chunk)}\n\n`), hi],
    '--reasoning',
  )
  expect({ code, out, requests }).toEqual({ code: 6, out: '', requests: 1 })
  expect(err).toMatch(/^Hm\n\nsyn: .+: connection closed\n$/)
})

test('a refused connection is retried', async () => {
  const env = { SYN_BASE_URL: 'http://127.0.0.1:1', SYN_API_KEY: testKey }
  const { code, err } = await runSyn(['chat', 'hi', '--retries', '1'], { env })
  expect(code).toBe(6)
  expect(err).toMatch(/^syn: .+: connection refused; retrying in 0\.\d s \(1 of 1\)\nsyn: .+: connection refused\n/)
})
