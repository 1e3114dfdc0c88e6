/** `--watch` on a terminal: the quota is redrawn in place, and the terminal restored at the end. */

import { describe, expect, test } from 'vitest'
import { environment, synCommand } from '../../helpers/program.ts'
import { json, startService, type Answer, type Service } from '../../helpers/service.ts'
import { onTerminal, synOnTerminal, type Screen } from '../../helpers/terminal.ts'

const used = (requests: number): Answer => json({ subscription: { limit: 20, requests } })
const line = (requests: number): string =>
  `subscription  ${'█'.repeat(requests)}${'░'.repeat(20 - requests)}  ${requests} of 20 used`
const forecast = ' · empty at .*\\d\\d:\\d\\d'

/** @param end After two readings that differ, the forecast. */
const head = (interval: number, end = ''): unknown =>
  expect.stringMatching(`^every ${interval} s · next (in \\d+ (s|min)|now) · Ctrl-C to stop${end}$`)

/** Runs `--watch` with this interval in seconds, on a terminal with text on it. */
function watching(service: Service, ...argv: string[]): Screen {
  const command = ['quota', ...argv].map((word) => `'${word}'`).join(' ')
  return onTerminal('sh', ['-c', `echo before; ${synCommand} ${command}`], environment(service))
}

function has(text: string): (lines: string[]) => boolean {
  return (lines) => lines.some((one) => one.includes(text))
}

/** Resolves when the screen shows exactly these lines. */
function shows(screen: Screen, expected: unknown[]): Promise<void> {
  return screen.until((lines) => {
    try {
      expect(lines).toEqual(expected)
      return true
    } catch {
      return false
    }
  })
}

/** Whether the cursor and the previous screen are restored. */
function isRestored(screen: Screen): boolean {
  const written = screen.written()
  return ['[?25', '[?1049'].every((mode, index) => {
    const [on, off] = index === 0 ? ['h', 'l'] : ['l', 'h']
    return written.lastIndexOf(`\u001b${mode}${on}`) > written.lastIndexOf(`\u001b${mode}${off}`)
  })
}

test.concurrent('a reading replaces a longer one, and Ctrl-C leaves it on the terminal', async () => {
  const long = json({ subscription: { limit: 20, requests: 3 }, tier: 'gold '.repeat(30), plan: { name: 'pro' } })
  await using service = await startService(long, used(4))
  const screen = watching(service, '--watch', '1')
  await screen.until(has('pro'))
  await shows(screen, [head(1, forecast), '', line(4)])
  screen.type('\u0003')
  expect(await screen.ended).toBe(130)
  expect(screen.lines()).toEqual(['before', line(4)])
  expect(isRestored(screen)).toBe(true)
})

test.concurrent('times are updated between requests, which are sent every 30 seconds by default', async () => {
  const renewsAt = new Date(Date.now() + 50_000).toISOString()
  await using service = await startService(json({ subscription: { limit: 5, requests: 1, renewsAt } }))
  const screen = watching(service, '--watch')
  const seconds = (): number => Number(/\(in (\d+) s\)/.exec(screen.lines().join('\n'))?.[1])
  await screen.until(has('renews'))
  const first = seconds()
  expect(screen.lines()[0]).toEqual(head(30))
  await screen.until(() => seconds() < first)
  expect(service.asked).toHaveLength(1)
  screen.type('\u0003')
  expect(await screen.ended).toBe(130)
})

test.concurrent('after a resize the display is redrawn completely', async () => {
  await using service = await startService(used(3))
  const screen = watching(service, '--watch=600')
  await shows(screen, [head(600), '', line(3)])
  screen.resize(36, 24)
  const [first, second] = ['every 600 s · next in 9 min · Ctrl-C', 'to stop']
  await shows(screen, [first, second, '', 'subscription', '  ██░░░░░░░░░░░  3 of 20 used'])
  screen.resize(100, 3)
  await shows(screen, [head(600), '', line(3)])
  screen.resize(100, 2)
  await shows(screen, [head(600)])
  screen.type('\u0003')
  expect(await screen.ended).toBe(130)
  expect(screen.lines()).toContain(line(3))
})

describe('a failed request', () => {
  test.concurrent('is shown in the display, which stays, and the watch continues', async () => {
    await using service = await startService(used(3), json({ error: 'busy\u001b[2J' }, 503), used(4))
    const screen = watching(service, '--watch=1')
    await shows(screen, [head(1), 'last update failed: busy␛[2J (503 Service Unavailable)', '', line(3)])
    await shows(screen, [head(1, forecast), '', line(4)])
    screen.type('\u0003')
    expect(await screen.ended).toBe(130)
  })

  test.concurrent('that is permanent ends it, with its message below the previous screen', async () => {
    await using service = await startService(used(3), json({ error: 'no more' }, 401))
    const screen = watching(service, '--watch=1')
    expect(await screen.ended).toBe(3)
    expect(screen.lines().slice(0, 3)).toEqual(['before', line(3), expect.stringMatching(/^syn: no more \(401 /)])
    expect(isRestored(screen)).toBe(true)
  })
})

test.concurrent('--fail-below shows that it cannot judge a reading, and ends it when too little is left', async () => {
  await using service = await startService(json({ subscription: { requests: 3 } }), used(19))
  const screen = watching(service, '--watch=1', '--fail-below', '10%')
  const warning = [
    'the remaining amount of subscription is unknown: the service sent no limit;',
    'assuming enough is left',
  ]
  await screen.until((lines) => lines.join(' ').includes(warning.join(' ')))
  expect(await screen.ended).toBe(8)
  expect(screen.lines()).toEqual(['before', line(19), 'syn: subscription is below 10%: 1 of 20 left'])
})

test.concurrent('on a dumb terminal readings are printed one after the other', async () => {
  await using service = await startService(used(3), used(4))
  const screen = synOnTerminal(['quota', '--watch=1'], environment(service), { term: 'dumb', asProcess: true })
  await screen.until(has('syn: empty at'))
  screen.type('\u0003')
  expect(await screen.ended).toBe(130)
  const lines = screen.written().replace('^C', '').split('\r\n')
  expect(lines).toEqual([line(3), line(4), expect.stringMatching(/^syn: empty at .*\d\d:\d\d$/), ''])
})
