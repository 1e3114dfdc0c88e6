/**
 * A service for tests of `syn batch`, which counts its requests: a limit of requests at a time, a quota, latency, and
 * failures, all of which a test may change while it runs.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startBatchServer, type BatchServer, type BatchServerOptions } from './batch-server.ts'
import type { Call, Result } from './batch-server-program.ts'
import { testKey } from './canary.ts'
import { node } from './program.ts'

export { batchAnswer, batchModels, type BatchCounts, type BatchServerOptions } from './batch-server.ts'

export interface BatchService extends BatchServer, AsyncDisposable {
  /** The environment variables that make the program use this service. */
  readonly env: { SYN_BASE_URL: string; SYN_API_KEY: string }
}

/** In this process. */
export async function startBatchService(options: BatchServerOptions = {}): Promise<BatchService> {
  const server = await startBatchServer(options)
  return { ...server, env: environmentFor(server), [Symbol.asyncDispose]: () => server.stop() }
}

/** In a process of its own: its CPU time is not measured, and no pause of the test's process delays it. */
export async function forkBatchService(options: BatchServerOptions = {}): Promise<BatchService> {
  const { bundled } = await import('./bundled.ts')
  const program = await bundled(fileURLToPath(new URL('batch-server-program.ts', import.meta.url)))
  // Without the flags of this process, such as those that load TypeScript. `undefined` is not lost as it is in JSON.
  const child = fork(program, { execPath: node, execArgv: [], serialization: 'advanced' })
  const waiting = new Map<number, (value: never) => void>()
  child.on('message', ({ id, value }: Result) => {
    waiting.get(id)?.(value as never)
    waiting.delete(id)
  })
  let calls = 0
  const call = <Value>(name: Call['name'], more: Pick<Call, 'options' | 'requests'> = {}): Promise<Value> =>
    new Promise((resolve) => {
      const id = calls++
      waiting.set(id, resolve)
      child.send({ id, name, ...more } satisfies Call)
    })
  const server: BatchServer = {
    baseUrl: await call('start', { options }),
    set: (changes) => call('set', { options: changes }),
    counts: () => call('counts'),
    untilAsked: (requests) => call('untilAsked', { requests }),
    resetCounts: () => call('resetCounts'),
    stop: () => call('stop'),
    resume: () => call('resume'),
  }
  const end = async (): Promise<void> => {
    const exited = once(child, 'exit')
    child.disconnect()
    await exited
  }
  return { ...server, env: environmentFor(server), [Symbol.asyncDispose]: end }
}

function environmentFor({ baseUrl }: BatchServer): BatchService['env'] {
  return { SYN_BASE_URL: baseUrl, SYN_API_KEY: testKey }
}
