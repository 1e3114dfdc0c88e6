/** The first Ctrl-C of a run: what is in flight may finish. */

import type { InterruptedError } from '../../errors.ts'
import type { Context } from '../job.ts'
import type { Pool } from './pool.ts'
import { grouped } from '../counts.ts'

export interface Interruption {
  /** @throws the interruption, if there was one and rows are left. */
  throwIf(hasRowsLeft: boolean): void
  /** From here on, a signal stops the run at once. */
  ignore(): void
}

export function drainOnSignal(pool: Pool, { io, notices }: Pick<Context, 'io' | 'notices'>): Interruption {
  let interruption: InterruptedError | undefined
  io.onFirstSignal((error) => {
    interruption = error
    pool.drain()
    if (pool.inFlight === 0) return
    const requests = pool.inFlight === 1 ? 'request in flight has' : `${grouped(pool.inFlight)} requests in flight have`
    void notices.info(
      `stopping when the ${requests} ended; ${error.code === 130 ? 'Ctrl-C again' : 'another signal'} stops at once`,
    )
  })
  return {
    throwIf(hasRowsLeft) {
      if (interruption && hasRowsLeft) throw interruption
    },
    ignore: () => io.onFirstSignal(undefined),
  }
}
