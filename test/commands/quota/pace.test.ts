/** How fast the quota is used up, by an earlier reading: on standard error, unless there is -q. */

import { expect, test } from 'vitest'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { json, startService } from '../../helpers/service.ts'

const minute = 60_000
const start = new Date(2026, 10, 1, 14, 2).getTime()

/** The errors and notices at these minutes, with so much left of 500. */
async function said(...readings: [minutes: number, left: number, argv?: string[]][]): Promise<string[]> {
  let [time, left] = [start, 500]
  await using service = await startService((asked, response) => {
    const headers = { date: new Date(time).toUTCString() }
    return json({ rollingFiveHourLimit: { remaining: left, max: 500 } }, 200, headers)(asked, response)
  })
  const env = { ...service.env, HOME: emptyFolder() }
  const texts: string[] = []
  for (const [minutes, remaining, argv = []] of readings) {
    time = start + minutes * minute
    left = remaining
    const now = time
    const { code, err, out } = await runSyn(['quota', ...argv], { env, now: () => now })
    expect({ code, isEmpty: out === '' }).toEqual({ code: 0, isEmpty: false })
    texts.push(err)
  }
  return texts
}

const text = 'syn: rollingFiveHourLimit: 12% since 14:02; at this pace empty in 3 h 27 min\n'

test.each<[what: string, readings: Parameters<typeof said>, texts: string[]]>([
  [
    'a reading that is ten minutes old is replaced',
    [
      [0, 475],
      [30, 415],
      [31, 415],
    ],
    ['', text, ''],
  ],
  [
    'a younger one stays',
    [
      [0, 475],
      [5, 445],
      [30, 415],
    ],
    ['', expect.stringContaining('6% since 14:02') as string, text],
  ],
  [
    'what came back is counted',
    [
      [0, 475],
      [30, 490],
    ],
    ['', ''],
  ],
  [
    'one of hours before is none',
    [
      [0, 475],
      [301, 415],
    ],
    ['', ''],
  ],
  [
    'with --json too',
    [
      [0, 475],
      [30, 415, ['--json']],
    ],
    ['', text],
  ],
  [
    'not with -q',
    [
      [0, 475],
      [30, 415, ['-q']],
    ],
    ['', ''],
  ],
])('%s', async (_what, readings, texts) => {
  expect(await said(...readings)).toEqual(texts)
})
