/** `last` is the latest conversation; `--limit` chooses by time. */

import { expect, test } from 'vitest'
import { homeWithConversations, sessions } from '../../helpers/conversations.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../../helpers/service.ts'

const [older, newer] = ['20261121-080000-bbbbbb', '20261121-090000-aaaaaa']

function home(name?: string): string {
  return homeWithConversations(
    { id: newer, turns: [['Second', 'Two']] },
    { id: older, ...(name !== undefined && { name }), turns: [['First', 'One']] },
  )
}

test('last is the latest, unless one has this name', async () => {
  expect((await sessions(home(), ['show', 'last'])).out).toContain('Second')
  expect((await sessions(home('last'), ['show', 'last'])).out).toContain('First')
  expect((await sessions(emptyFolder(), ['show', 'last'])).code).toBe(2)
})

test('syn chat --session last continues it', async () => {
  await using service = await startService(events(chatAnswer(['Three'])))
  const env = { ...service.env, HOME: home() }
  expect((await runSyn(['chat', '--session', 'last', 'Third'], { env })).code).toBe(0)
  expect(JSON.stringify(service.asked[0]?.json)).toContain('Second')
  const { code, err } = await runSyn(['chat', '--session', 'last', 'hi'], { env: { ...env, HOME: emptyFolder() } })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('no conversation to continue') })
})

test('--limit', async () => {
  const { out } = await sessions(home(), ['list', '--limit', '1'])
  expect(
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => line.slice(0, 22)),
  ).toEqual([newer])
})
