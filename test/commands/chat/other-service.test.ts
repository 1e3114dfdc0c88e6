/** A conversation is not continued with another service, or with the sandbox, without a word. */

import { describe, expect, test } from 'vitest'
import { end, streamed } from '../../helpers/chat-chunks.ts'
import { type ConversationFixture, entriesIn, homeWithConversations, linesIn } from '../../helpers/conversations.ts'
import { emptyFolder, runSyn, type Outcome } from '../../helpers/run-syn.ts'
import { startService } from '../../helpers/service.ts'

const answer = streamed('New.', end())
const user = (content: string): object => ({ role: 'user', content })

const [latest, earlier] = ['20261121-101500-aaaaaa', '20261121-101400-bbbbbb']
const inSandbox: ConversationFixture = { id: latest, service: 'sandbox', turns: [['mine', 'Fake.']] }
const elsewhere: ConversationFixture = { id: latest, service: 'https://api.example', turns: [['secret', 'Theirs.']] }
const local: ConversationFixture = { id: earlier, service: 'http://localhost:1', turns: [['local', 'Ours.']] }
const unknown: ConversationFixture = { id: earlier, name: 'old', turns: [['old', 'Old.']] }

/** Runs `syn chat` with this command line, by default against a local service. */
async function continued(home: string, ...argv: string[]): Promise<Outcome & { sent: unknown[] }> {
  await using service = await startService(answer)
  const outcome = await runSyn(['chat', ...argv], { env: { HOME: home, ...service.env } })
  return { ...outcome, sent: service.asked.map(({ json }) => (json as { messages: unknown }).messages) }
}

describe('-c continues the latest conversation with the same service', () => {
  test.each<[what: string, last: ConversationFixture, held: string]>([
    ['not that with the sandbox', inSandbox, 'the sandbox'],
    ['not that with another service', elsewhere, 'https://api.example'],
  ])('%s', async (_what, last, held) => {
    const notice = `continuing ${earlier}: the latest conversation, ${latest}, was held with ${held}`
    expect(await continued(homeWithConversations(last, local), '-c', 'x')).toMatchObject({
      code: 0,
      err: `syn: ${notice}\n`,
      sent: [[user('local'), {}, user('x')]],
    })
  })
})

describe('-c refuses to continue', () => {
  test.each<[what: string, fixture: ConversationFixture, flags: string[], err: RegExp]>([
    [
      'a conversation with the sandbox',
      inSandbox,
      [],
      /^syn: no conversation with http:\S+ to continue\nhint: the latest was held with the sandbox; use --session \S+-aaaaaa to continue it here\n$/,
    ],
    [
      'one with a service, in the sandbox',
      elsewhere,
      ['--sandbox'],
      /^syn: no conversation with the sandbox to continue\n.* held with https:\/\/api\.example;/,
    ],
  ])('%s', async (_what, fixture, flags, err) => {
    const outcome = await continued(homeWithConversations(fixture), '-q', '-c', ...flags, 'x')
    expect(outcome).toEqual({ code: 2, out: '', err: expect.stringMatching(err), sent: [] })
  })
})

describe('--session continues it with a warning', () => {
  test('also with -q, and only when the service changes', async () => {
    const home = homeWithConversations({ ...inSandbox, name: 'try' })
    const first = await continued(home, '-q', '--session', 'try', 'x')
    expect(first).toMatchObject({ code: 0, sent: [[user('mine'), {}, user('x')]] })
    expect(first.err).toMatch(/^syn: this conversation was held with the sandbox; from now on it goes to http:\S+\n$/)
    expect(await continued(home, '-q', '--session', 'try', 'y')).toMatchObject({ code: 0, err: '' })
    expect(await continued(home, '-q', '-c', 'z')).toMatchObject({ code: 0, err: '' })
    const back = await continued(home, '-q', '--sandbox', '-m', 'syn:large:text', '--session', 'try', 'y')
    expect(back).toMatchObject({ code: 0, sent: [] })
    expect(back.err).toMatch(/^syn: this conversation was held with http:\S+; from now on it goes to the sandbox\n$/)
  })
})

test('a conversation that does not tell its service continues anywhere, without a word', async () => {
  const home = homeWithConversations(unknown)
  expect(await continued(home, '-c', '--sandbox', '-m', 'syn:large:text', '--no-save', 'x')).toMatchObject({
    code: 0,
    err: '',
  })
  expect(await continued(home, '--session', 'old', 'x')).toMatchObject({ code: 0, err: '' })
})

test('the file tells the service of each turn, without the path of its URL', async () => {
  const home = emptyFolder()
  await using service = await startService(answer)
  const env = { HOME: home, ...service.env, SYN_BASE_URL: `${service.baseUrl}/deployment-7/v1` }
  await runSyn(['chat', '--save', 'a'], { env })
  await runSyn(['chat', '--sandbox', '--session', String(linesIn(home)[0]?.id), 'b'], { env })
  expect(entriesIn(home, 'turn')).toHaveLength(2)
  const services = linesIn(home).flatMap(({ type, service }) => (type === 'turn' ? [service] : []))
  expect(services).toEqual([service.baseUrl, 'sandbox'])
})
