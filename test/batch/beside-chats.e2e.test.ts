/** Chats beside a batch: at a service that queues requests they wait, and where it refuses them, they fail with a hint. */

import { expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { environment, startSyn } from '../helpers/program.ts'
import { json, startService } from '../helpers/service.ts'

test('at the sandbox, each of five chats is answered, and the batch loses no row', async () => {
  const sandbox = startSyn(['sandbox', '--latency', '300ms', '--rate', '0'], environment())
  const [, address = ''] = /SYN_BASE_URL=(\S+)/.exec(await sandbox.untilOut('SYN_API_KEY')) ?? []
  const batch = new BatchProgram({ env: { SYN_BASE_URL: address, SYN_API_KEY: 'sandbox-key' } }, prompts(8))
  const running = batch.startFile()
  await running.untilErr('rows to send')
  const chats = Array.from({ length: 5 }, () => startSyn(['chat', '--retries', '0', 'hi'], batch.env).ended)
  const answered = await Promise.all(chats)
  expect(answered.map(({ code, err }) => [code, err])).toEqual(answered.map(() => [0, '']))
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(new Set(batch.rows().map(({ id }) => id)).size).toBe(8)
  sandbox.child.kill()
  await sandbox.ended
})

test.each([502, 503])('a %i names the batch', async (status) => {
  await using service = await startService(json({ error: 'Busy' }, status))
  const { code, err } = await startSyn(['chat', '--retries', '0', 'hi'], environment(service)).ended
  expect(code).toBe(6)
  expect(err).toContain('hint: if syn batch is running, it may use all requests that the service takes at a time\n')
})
