/** When a limit that is waited for is looked at again, in virtual time. */

import { expect, test } from 'vitest'
import { Waiter } from '../../../src/quota/waiter.ts'
import { second } from '../../helpers/batch-trial.ts'
import { virtualClock } from '../../helpers/virtual-clock.ts'

/** @param renewals In seconds after each look; `undefined` if the service does not say. @returns the seconds to each look. */
async function looks(
  renewals: readonly (number | undefined)[],
  random = 0,
): Promise<{ waits: number[]; said: string[] }> {
  const clock = virtualClock(Date.UTC(2026, 0, 1))
  const waiter = new Waiter({ clock, random: () => random })
  const waits: number[] = []
  const said: string[] = []
  for (const renewal of renewals) {
    waiter.hold({ renewal: renewal === undefined ? undefined : clock.time() + renewal * second })
    said.push(...[waiter.takeNotice() ?? []].flat())
    const wait = (waiter.current?.until ?? 0) - clock.now()
    waits.push(wait / second)
    await clock.runUntil(clock.pause(wait))
    waiter.finish()
  }
  return { waits, said: said.map((text) => text.replace(/until .*/, 'until TIME')) }
}

const overdue = 'the quota is used up, renewal overdue; checking at least every minute'
const until = 'the quota is used up; waiting until TIME'

test.each<[what: string, renewals: (number | undefined)[], waits: number[], said: string[]]>([
  ['always 50 ms ahead', Array(9).fill(0.05), [1, 2, 4, 8, 16, 32, 60, 60, 60], [overdue]],
  ['past', Array(4).fill(-3600), [1, 2, 4, 8], [overdue]],
  ['always half a second ahead', Array(4).fill(0.5), [0.5, 1, 2, 4], [until, overdue]],
  ['always ten seconds ahead', Array(7).fill(10), [10, 10, 10, 10, 10, 16, 32], [until, overdue]],
  ['in an hour', [3600, 3600], [3600, 3600], [until, until]],
  ['unknown', [undefined, undefined], [60, 60], ['the quota is used up, renewal time unknown; checking every minute']],
])('a renewal that is %s', async (_what, renewals, waits, said) => {
  expect(await looks(renewals)).toEqual({ waits, said })
})

test('a named wait is spread, by ten seconds at most', async () => {
  expect((await looks([60, 3600], 1)).waits).toEqual([61.2, 3610])
})
