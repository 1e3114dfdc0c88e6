/** Recorded replies through the whole program: output, notices and exit status. */

import { expect, test } from 'vitest'
import { fixture } from '../../helpers/fixtures.ts'
import { messages } from '../../helpers/messages.ts'
import { startService, type Answer } from '../../helpers/service.ts'
import { type WatchedRun, watchSyn } from '../../helpers/watched-run.ts'

const stream = 'text/event-stream'

function recorded(name: string, contentType: string): Answer {
  return (_asked, response) => {
    response.writeHead(200, { 'content-type': contentType })
    response.end(fixture(name, 'messages'))
  }
}

const broken = 'the stream ended before the answer was complete'
const cut = 'syn: the answer was cut short: '
const limit = 'the answer was cut off at the token limit; raise it with --max-tokens'
const spent = 'the reasoning used up the token limit; raise it with --max-tokens'

const runs: [name: string, code: number, out: string, err: string][] = [
  ['tool-use', 0, 'Let me see.\nweather({"city":"Oslo"})\ntime({"zone":"CET"})\n', ''],
  ['tool-use-input-unfinished', 0, 'weather({"city":"Os)\n', `syn: ${limit}\n`],
  ['stop-announces-call', 7, 'Let me see.', `${cut}the answer announced a tool call and ended without one\n`],
  ['stop-max-tokens-all-thinking', 0, '', `syn: the answer is empty: ${spent}\n`],
  [
    'stop-max-tokens-nothing',
    0,
    '',
    'syn: the answer is empty: the token limit was reached first; raise it with --max-tokens\n',
  ],
  ['stop-refusal', 0, 'Once\n', 'syn: the answer ended with a refusal\n'],
  [
    'stop-pause-turn',
    0,
    'Once\n',
    'syn: the answer was paused by the service; send it back with --messages to continue\n',
  ],
  ['stop-context-full', 0, 'Once\n', "syn: the answer was cut off: the model's context window is full\n"],
  ['end-at-once', 6, '', 'syn: the reply contains no answer\n'],
  ['empty', 0, '', 'syn: the answer is empty\n'],
  ['error-overloaded', 6, '', 'syn: Overloaded\n'],
  ['error-after-text', 7, 'Once upon', `${cut}Overloaded\n`],
  ['truncated', 7, 'Hello', `${cut}${broken}\n`],
  ['truncated-tool-use', 7, 'weather({"city":12)\n', `${cut}${broken}\n`],
  // Only the answer itself counts as delivered.
  ['truncated-thinking', 6, '', `syn: ${broken}\n`],
]

test.each(runs)('%s ends with %i', async (name, code, out, err) => {
  const outcome = await messages(['--retries', '0', 'hi'], { answer: recorded(name, stream) })
  expect(outcome).toMatchObject({ code, out, err })
})

test.each<[name: string, contentType: string, code: number, out: string, err: string]>([
  ['whole-error.json', 'application/json', 6, '', 'syn: The model is busy.\n'],
  ['whole-nothing.json', 'application/json', 6, '', 'syn: the reply contains no answer\n'],
  ['plain.sse', 'application/json', 0, 'Hello there\n', ''],
])('%s in place of a stream, as %s, ends with %i', async (name, contentType, code, out, err) => {
  expect(await messages(['--retries', '0', 'hi'], { answer: recorded(name, contentType) })).toMatchObject({
    code,
    out,
    err,
  })
})

test('the connection may stay open after message_stop', async () => {
  const answer: Answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': stream })
    response.write(fixture('plain', 'messages'))
  }
  expect(await messages(['hi'], { answer })).toMatchObject({ code: 0, out: 'Hello there\n' })
})

/** A gateway that lost its backend in the middle of the answer, and tried again. */
const [half = '', another = ''] = fixture('another-message', 'messages')
  .toString()
  .split(/(?=event: message_start.*\n.*msg_9a00)/)

test('an answer that begins again after a part was printed is cut short', async () => {
  let run: WatchedRun | undefined
  await using service = await startService(async (_asked, response) => {
    response.writeHead(200, { 'content-type': stream })
    response.write(half)
    await run?.written('Half of an ans')
    response.end(another)
  })
  run = watchSyn(['messages', 'hi'], service.env)
  const err = `${cut}the service started another answer\n`
  expect(await run.outcome).toMatchObject({ code: 7, out: 'Half of an ans', err })
})

test('before anything of it was printed, the second answer is taken', async () => {
  const outcome = await messages(['--json', 'hi'], { answer: recorded('another-message', stream) })
  const err = 'syn: the service started the answer again; the first part was dropped\n'
  expect(outcome).toMatchObject({ code: 0, err })
  expect(JSON.parse(outcome.out)).toMatchObject({ id: 'msg_9a00', content: [{ type: 'text', text: 'Hello' }] })
})
