/** An API client without the rest of the program. */

import { Client } from '../../src/api/client.ts'
import { Secrets } from '../../src/io/secrets.ts'
import { StandardInput } from '../../src/io/standard-input.ts'
import { testNow } from './clock.ts'
import { testKey, type Service } from './service.ts'

export interface TestClientOptions {
  retries?: number
  /** Called with each notice; the client waits for it. */
  onNotice?: (text: string) => Promise<void>
}

export function testClient(service: Service, { retries = 0, onNotice }: TestClientOptions = {}): Client {
  const secrets = new Secrets()
  secrets.add(testKey)
  const nothing = (): Promise<void> => Promise.resolve()
  const sink = { isTerminal: false, columns: () => 80, write: nothing }
  const io = {
    in: new StandardInput('none', () => {
      throw new Error('standard input must not be read')
    }),
    out: sink,
    err: sink,
    env: {},
    platform: 'linux' as const,
    signal: new AbortController().signal,
    now: testNow,
    suspend: () => Promise.resolve(),
    restoreAtExit: () => undefined,
  }
  const network = { firstByteTimeout: 60_000, idleTimeout: 60_000, retries }
  return new Client({ baseUrl: service.baseUrl, key: testKey }, network, {
    io,
    secrets,
    notices: { info: onNotice ?? nothing, debug: nothing },
  })
}
