/** `-u`: cached prompt tokens, which `input_tokens` exclude, and the cost. */

import { expect, test } from 'vitest'
import { startForeignService } from '../../helpers/foreign.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { json } from '../../helpers/service.ts'

test('cached tokens are prompt tokens, and cost as much', async () => {
  const pricing = { prompt: '0.1', completion: '1' }
  const models = json({ data: [{ id: 'hf:tiny/random', pricing }] })
  await using service = await startForeignService(['llama-messages-stream-cached'], {
    others: { 'GET /openai/v1/models': models },
  })
  const { code, err } = await runSyn(['messages', '-u', '-m', 'hf:tiny/random', 'Hello'], { env: service.env })
  expect(code).toBe(0)
  expect(err).toMatch(/^syn: 30 prompt \(29 cached\) \+ 3 completion tokens · .* · \$6\.00$/m)
})

test('--json has the numbers of the service', async () => {
  await using service = await startForeignService(['llama-messages-stream-cached'])
  const { out } = await runSyn(['messages', '--json', '-m', 'hf:tiny/random', 'Hello'], { env: service.env })
  expect(JSON.parse(out)).toMatchObject({ usage: { input_tokens: 1, cache_read_input_tokens: 29, output_tokens: 3 } })
})
