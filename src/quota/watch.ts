/** `--watch`: a reading after the other, until the run is stopped. */

import type { JsonObject } from '../io/json.ts'
import type { Io } from '../io/io.ts'
import { pauseUntil } from '../io/time.ts'
import { mayPass } from './may-pass.ts'

/** Where the readings are shown. */
export interface Picture {
  /** @param next When the next reading follows, in milliseconds since 1970. */
  show(record: JsonObject, next: number): Promise<void>
  /** Says that a reading failed; what was read before stands. */
  fail(message: string, next: number): Promise<void>
  close(): Promise<void>
}

export interface Watch {
  /** Between two readings, in seconds. */
  readonly interval: number
  /** Asks the service. */
  read(): Promise<JsonObject>
  readonly picture: Picture
  /** Throws when a reading that was shown is to be the last. */
  check(record: JsonObject): void
}

/** @throws what ends it: the signal's reason, a failure that time does not mend, or what the check throws. */
export async function watchQuota({ interval, read, picture, check }: Watch, io: Io): Promise<never> {
  try {
    for (;;) {
      const outcome = await read().catch(failureOf)
      const next = io.now() + interval * 1000
      if (typeof outcome === 'string') await picture.fail(outcome, next)
      else {
        await picture.show(outcome, next)
        check(outcome)
      }
      await pauseUntil(next, io)
    }
  } finally {
    await picture.close()
  }
}

function failureOf(error: unknown): string {
  if (mayPass(error)) return error.message
  throw error
}
