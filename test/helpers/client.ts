/** An API client without the rest of the program. */

import type { Sink } from '../../src/io/io.ts'
import { Client } from '../../src/api/client.ts'
import { Secrets } from '../../src/io/secrets.ts'
import { testIo, unreadInput } from './run-syn.ts'
import { testKey, type Service } from './service.ts'

export interface TestClientOptions {
  retries?: number
  /** In milliseconds. */
  timeout?: number
  /** Called with each notice; the client waits for it. */
  onNotice?: (text: string) => Promise<void>
}

export function testClient(
  service: Pick<Service, 'baseUrl'>,
  { retries = 0, timeout = 60_000, onNotice }: TestClientOptions = {},
): Client {
  const secrets = new Secrets()
  secrets.add(testKey)
  const nothing = (): Promise<void> => Promise.resolve()
  const sink: Sink = { isTerminal: false, columns: () => 80, write: nothing }
  const io = testIo({ in: unreadInput(), out: sink, err: sink, env: {} })
  const network = { firstByteTimeout: timeout, idleTimeout: timeout, retries }
  return new Client({ baseUrl: service.baseUrl, key: testKey }, network, {
    io,
    secrets,
    notices: { info: onNotice ?? nothing, debug: nothing },
  })
}
