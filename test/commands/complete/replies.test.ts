/** Recorded replies through the whole program: output, notices and exit status. */

import { expect, test } from 'vitest'
import { complete } from '../../helpers/complete.ts'
import { fixture } from '../../helpers/fixtures.ts'
import type { Outcome } from '../../helpers/run-syn.ts'
import type { Answer } from '../../helpers/service.ts'

function recorded(name: string): Answer {
  return (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(fixture(name, 'completions'))
  }
}

async function runOn(answer: Answer, ...argv: string[]): Promise<Outcome> {
  const { code, out, err } = await complete(['Once', '--retries', '0', ...argv], { answer })
  return { code, out, err }
}

const spent = 'raise it with --max-tokens'

test.each<[name: string, code: number, out: string, err: string]>([
  ['plain', 0, ' there was\n', ''],
  ['finish-length', 0, ' there was\n', 'the answer was cut off at the token limit; raise it with --max-tokens'],
  ['finish-length-nothing', 0, '', `the answer is empty: the token limit was reached first; ${spent}`],
  ['finish-length-all-reasoning', 0, '', `the answer is empty: the reasoning used up the token limit; ${spent}`],
  ['finish-abort', 7, ' there', 'the answer was cut short: the service aborted the answer'],
  ['error-string', 6, '', 'Error from inference backend: worker restarted'],
  ['error-object-after-text', 7, ' there', 'the answer was cut short: The model is busy.'],
  ['only-done', 6, '', 'the reply contains no answer'],
])('%s ends with %i', async (name, code, out, message) => {
  expect(await runOn(recorded(name))).toEqual({ code, out, err: message === '' ? '' : `syn: ${message}\n` })
})

test('an unstreamed reply is accepted', async () => {
  expect(await runOn(recorded('whole.json'), '--n', '2')).toMatchObject({
    code: 0,
    out: ' sky\n\n sea\n',
  })
})
