/** Chat with the recorded replies of a foreign server. */

import { expect, test } from 'vitest'
import { startForeignService } from '../../helpers/foreign.ts'
import { runSyn } from '../../helpers/run-syn.ts'

test('an answer with unknown keys is shown as it is', async () => {
  await using service = await startForeignService(['llama-chat-stream'])
  const { code, out } = await runSyn(['chat', '-m', 'hf:tiny/random', 'Hello'], { env: service.env })
  expect({ code, out }).toEqual({ code: 0, out: ' na na na were\n' })
})
