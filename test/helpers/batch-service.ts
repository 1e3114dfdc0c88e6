/**
 * A service for tests of `syn batch`, which counts its requests: a limit of requests at a time, a quota, latency, and
 * failures, all of which a test may change while it runs.
 */

import { startBatchServer, type BatchServer, type BatchServerOptions } from './batch-server.ts'
import { testKey } from './canary.ts'

export { batchAnswer } from './batch-server.ts'

export interface BatchService extends BatchServer, AsyncDisposable {
  /** The environment variables that make the program use this service. */
  readonly env: { SYN_BASE_URL: string; SYN_API_KEY: string }
}

export async function startBatchService(options: BatchServerOptions = {}): Promise<BatchService> {
  const server = await startBatchServer(options)
  const env = { SYN_BASE_URL: server.baseUrl, SYN_API_KEY: testKey }
  return { ...server, env, [Symbol.asyncDispose]: () => server.stop() }
}
