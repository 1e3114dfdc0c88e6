/** Recorded replies through the whole program: standard output, standard error and exit status. */

import { expect, test } from 'vitest'
import { fixture } from '../../helpers/fixtures.ts'
import { runSyn, type Outcome } from '../../helpers/run-syn.ts'
import { startService } from '../../helpers/service.ts'

async function runOn(name: string, contentType: string, ...argv: string[]): Promise<Outcome> {
  await using service = await startService((_asked, response) => {
    response.writeHead(200, { 'content-type': contentType })
    response.end(fixture(name))
  })
  return await runSyn(['chat', 'hi', '--retries', '0', ...argv], { env: service.env })
}

const stream = 'text/event-stream'
const aborted = 'the service aborted the answer'
const broken = 'the stream ended before the answer was complete'
const backend = 'Error from inference backend: worker restarted'

const runs: [name: string, code: number, out: string, err: string][] = [
  ['plain', 0, 'Hello there\n', ''],
  ['tools-by-index', 0, 'weather({"city":"Oslo"})\ntime({"zone":"CET"})\n', ''],
  ['refusal', 0, '', "syn: the answer is a refusal: I can't help with that.\n"],
  ['finish-never', 0, 'Hello\n', ''],
  [
    'finish-length',
    0,
    'Once upon\n',
    "syn: the answer was cut off: the model's context window is full, or the service limits answers; shorten the prompt, or ask for more with --max-tokens\n",
  ],
  [
    'finish-length-all-reasoning',
    0,
    '',
    "syn: the answer is empty: the model's context window is full, or the service limits answers; shorten the prompt, or ask for more with --max-tokens\n",
  ],
  ['finish-content-filter', 0, 'Once upon\n', "syn: the answer was stopped by the service's content filter\n"],
  ['finish-abort', 7, 'Once upon', `syn: the answer was cut short: ${aborted}\n`],
  ['finish-abort-at-once', 6, '', `syn: ${aborted}\n`],
  ['error-string', 6, '', `syn: ${backend}\n`],
  ['error-after-text', 7, 'Once upon a', `syn: the answer was cut short: ${backend}\n`],
  ['truncated', 7, 'Hello', `syn: the answer was cut short: ${broken}\n`],
  // Only the answer itself counts as delivered.
  ['truncated-reasoning', 6, '', `syn: ${broken}\n`],
  ['only-done', 6, '', 'syn: the reply contains no answer\n'],
]

test.each(runs)('%s ends with %i', async (name, code, out, err) => {
  expect(await runOn(name, stream)).toEqual({ code, out, err })
})

const hello = 'Hello there\n'
const page =
  'syn: the service sent a web page instead of an answer: Sign in: Welcome Please sign in to this network.\n' +
  'hint: check the base URL: syn config get base-url\n'

const unstreamed: [name: string, contentType: string, code: number, out: string, err: string][] = [
  ['whole.json', 'application/json', 0, hello, ''],
  ['whole.json', 'text/html', 0, hello, ''],
  ['whole-abort.json', 'application/json', 7, 'Hello there', `syn: the answer was cut short: ${aborted}\n`],
  ['whole-error.json', 'application/json', 6, '', 'syn: The model is busy.\n'],
  ['page.html', 'application/json', 6, '', page],
  ['plain.sse', 'application/json', 0, hello, ''],
]

test.each(unstreamed)('%s in place of a stream, as %s, ends with %i', async (name, contentType, code, out, err) => {
  expect(await runOn(name, contentType)).toEqual({ code, out, err })
})
