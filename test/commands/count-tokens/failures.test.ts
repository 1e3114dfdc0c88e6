/** Failures: the exit status, and nothing on standard output. */

import { expect, test } from 'vitest'
import { countTokens } from '../../helpers/count-tokens.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { json, startService } from '../../helpers/service.ts'

test.each<[reply: unknown, found: string]>([
  [{}, '{}'],
  [{ input_tokens: '20' }, '{"input_tokens":"20"}'],
])('%j is a reply without a count', async (reply, found) => {
  expect(await countTokens(['hi'], { answer: json(reply) })).toMatchObject({
    code: 6,
    out: '',
    err: `syn: the reply contains no token count: ${found}\n`,
  })
})

test.each<[status: number, code: number]>([
  [400, 1],
  [402, 5],
])('status %i is exit %i', async (status, code) => {
  const answer = json({ type: 'error', error: { type: 'some_error', message: 'No such luck' } }, status)
  const outcome = await countTokens(['--retries', '0', 'hi'], { answer })
  expect(outcome).toMatchObject({ code, out: '' })
  expect(outcome.err).toMatch(/^syn: No such luck \(\d+ /)
})

test('for a model that was rotated out a hint names the alias, not --fallback, which this command lacks', async () => {
  await using service = await startService((asked, response) => {
    const isList = asked.path.endsWith('/models')
    return (isList ? json({ data: [{ id: 'hf:org/model-2' }] }) : json({ error: 'Gone' }, 404))(asked, response)
  })
  expect(await runSyn(['count-tokens', '-m', 'hf:org/model-1', 'hi'], { env: service.env })).toEqual({
    code: 4,
    out: '',
    err:
      'syn: Gone (404 Not Found)\nhint: the model may have been rotated out; available: hf:org/model-2. ' +
      'Use -m syn:large:text\n',
  })
})
