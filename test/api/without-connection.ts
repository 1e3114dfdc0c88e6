import { expect } from 'vitest'
import { runWithDelayedInput } from '../helpers/delayed-input.ts'
import type { Outcome } from '../helpers/run-syn.ts'
import { startWatchedServer } from '../helpers/watched-server.ts'

/**
 * Runs a command that reads its input without a connection. The input comes when another run, which is started once this one
 * reads, has connected: by then, this one would have.
 */
export async function endWithoutConnection(argv: string[], env: Record<string, string>): Promise<Outcome> {
  const { isAwaited, end, ended } = runWithDelayedInput(argv, { env })
  await Promise.race([isAwaited, ended])
  await using server = await startWatchedServer()
  const connected = server.next()
  const other = runWithDelayedInput(['chat', '--retries', '0'], { env: server.env })
  await connected
  end('{"messages":[{"role":"user","content":"hello"}]}')
  other.end('hello')
  expect(await other.ended).toMatchObject({ code: 0, err: '' })
  return ended
}
