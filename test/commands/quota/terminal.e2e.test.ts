/** `syn quota` as the built program: the table on a real terminal. */

import { expect, test } from 'vitest'
import { environment } from '../../helpers/program.ts'
import { record } from '../../helpers/quota.ts'
import { json, startService } from '../../helpers/service.ts'
import { synOnTerminal } from '../../helpers/terminal.ts'

test('a current account on 80 columns, times in the TZ time zone', async () => {
  await using service = await startService(json(record))
  const screen = synOnTerminal(['quota'], { ...environment(service), TZ: 'Asia/Kolkata' })
  expect(await screen.ended).toBe(0)
  expect(screen.lines().map((line) => line.replace(/ \(.* ago\)$| \(in .*\)$/, ''))).toEqual([
    'subscription          120.5 of 500 used',
    '                      renews 2026-08-20 01:48',
    'search.hourly         0 of 250 used',
    '                      renews 2026-08-19 21:30',
    'freeToolCalls         3 used, with no known limit',
    '                      renews 2026-08-20 01:48',
    'weeklyTokenLimit      $0.01 of $24.00 used',
    '                      next partial renewal 2026-08-20 05:30',
    '                      percent remaining 99.98 · renews $0.48 each time',
    'rollingFiveHourLimit  1.1 of 500 used',
    '                      next partial renewal 2026-08-19 20:45',
    '                      renews 5% each time · not limited now',
  ])
})
