/** `-u` with a model list that never comes: the answer, and its end, do not wait for it. */

import { expect, test } from 'vitest'
import { runSyn } from '../../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../../helpers/service.ts'

test('a model list that never answers is not waited for', async () => {
  const answer = events(chatAnswer(['Hello']))
  await using service = await startService((asked, response) =>
    asked.path.endsWith('/models') ? undefined : answer(asked, response),
  )
  expect(await runSyn(['chat', '-u', 'hi'], { env: service.env })).toMatchObject({ code: 0, out: 'Hello\n' })
})
