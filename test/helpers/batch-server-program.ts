/** The program of forkBatchService: calls the methods of its server for its parent. */

import { startBatchServer, type BatchServer, type BatchServerOptions } from './batch-server.ts'

export interface Call {
  readonly id: number
  readonly name: 'start' | 'set' | 'counts' | 'resetCounts' | 'untilAsked' | 'stop' | 'resume'
  /** Of `start` and `set`. */
  readonly options?: BatchServerOptions | undefined
  /** Of `untilAsked`. */
  readonly requests?: number | undefined
}

export interface Result {
  readonly id: number
  readonly value: unknown
}

let server: BatchServer | undefined

async function perform({ name, options = {}, requests = 0 }: Call): Promise<unknown> {
  server ??= await startBatchServer(options)
  if (name === 'start') return server.baseUrl
  if (name === 'untilAsked') return server.untilAsked(requests)
  return name === 'set' ? server.set(options) : server[name]()
}

process.on('message', (call: Call) => {
  void perform(call).then((value) => process.send?.({ id: call.id, value } satisfies Result))
})
// The parent has ended, or does not need it any more.
process.on('disconnect', () => process.exit())
