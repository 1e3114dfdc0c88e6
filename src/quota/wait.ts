/** `--wait`: until something is left again. */

import type { QuotaBlock } from '../api/quota.ts'
import type { JsonObject } from '../io/json.ts'
import { harmlessName } from '../io/harmless.ts'
import type { Io } from '../io/io.ts'
import { pauseUntil } from '../io/pause.ts'
import { timeText } from '../io/time.ts'
import type { Notices } from '../notices.ts'
import { mayPass } from './may-pass.ts'

interface Surroundings {
  readonly io: Io
  readonly notices: Notices
}

type Read = () => Promise<JsonObject>

/** In milliseconds. */
const minute = 60_000

/** A renewal may be a moment late by the service's clock: the first waits after it are short, in milliseconds. */
const firstOverdueWait = 1000

/** Who waits for the same moment must not all ask in it: after it they spread over a part of the wait. */
const spreadPart = 0.02
const longestSpread = 10_000

/**
 * Asks until the block is not used up, and sleeps until each renewal that the service tells.
 * @param read Asks the service.
 * @param choose The block that is waited for.
 * @returns the last record: something is left by it, or what is left is unknown.
 * @throws what the first reading throws; of later ones only what time does not mend.
 */
export async function waitForRenewal(
  read: Read,
  choose: (record: JsonObject) => QuotaBlock | undefined,
  surroundings: Surroundings,
): Promise<JsonObject> {
  const { io, notices } = surroundings
  let record = await read()
  let said: string | undefined
  let overdue = 0
  for (let block = choose(record); block?.isSpent; block = choose(record)) {
    const { until, text, isOverdue } = nextReading(block, io.now(), overdue)
    overdue = isOverdue ? overdue + 1 : 0
    if (text !== said) await notices.say(text)
    said = text
    await pauseUntil(until, io)
    record = await readPatiently(read, surroundings)
  }
  return record
}

interface Reading {
  readonly until: number
  readonly text: string
  readonly isOverdue: boolean
}

/** @param overdue How often the block was found spent after its renewal. */
function nextReading({ name, renewal }: QuotaBlock, now: number, overdue: number): Reading {
  const spent = `${harmlessName(name)} is used up`
  const time = renewal?.time
  if (time === undefined) {
    return {
      until: now + minute,
      text: `${spent} and when it renews is not told; asking each minute`,
      isOverdue: false,
    }
  }
  if (time <= now) {
    const wait = Math.min(minute, firstOverdueWait * 2 ** overdue)
    return {
      until: now + wait,
      text: `${spent} and its renewal is overdue; asking at least each minute`,
      isOverdue: true,
    }
  }
  const spread = Math.min(longestSpread, (time - now) * spreadPart)
  const text = `${spent}; waiting until ${timeText(time, now)}`
  return { until: time + Math.random() * spread, text, isOverdue: false }
}

/** A wait of hours outlasts a network that is away for a while. */
async function readPatiently(read: Read, { io, notices }: Surroundings): Promise<JsonObject> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!mayPass(error)) throw error
      await notices.say(`${error.message}; asking again in a minute`)
    }
    await pauseUntil(io.now() + minute, io)
  }
}
