/** A conversation is not continued with another service, or with the sandbox, without a word. */

import { describe, expect, test } from 'vitest'
import { end, streamed } from '../../helpers/chat-chunks.ts'
import { type ConversationFixture, entriesIn, homeWithConversations, linesIn } from '../../helpers/conversations.ts'
import { emptyFolder, runSyn, type Outcome } from '../../helpers/run-syn.ts'
import { startService } from '../../helpers/service.ts'
import { homeWith, storedKey } from '../../settings/stored.ts'

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

describe('a conversation belongs to the profile that it was held with', () => {
  /** Each run gets the same answer. @param argv Of `syn chat`, after the profile if its first word is one. */
  async function withProfiles(
    runs: (run: (...argv: string[]) => Promise<Outcome>, sent: () => number) => Promise<void>,
  ) {
    await using service = await startService(answer)
    const account = { 'base-url': service.baseUrl, 'api-key': storedKey }
    const env = { HOME: homeWith({ profiles: { default: account, work: account } }) }
    const run = (...argv: string[]) => {
      const own = argv[0] === 'environment' ? { ...env, ...service.env } : env
      const flags = argv[0] === 'work' ? ['--profile', 'work'] : []
      return runSyn([...flags, 'chat', ...argv.slice(1)], { env: own })
    }
    await runs(run, () => service.asked.length)
    return env
  }

  test.each<[held: string, run: string, words: string, line: string]>([
    ['default', 'work', 'profile default, and this run to profile work', 'ID --profile work'],
    ['work', 'default', 'profile work, and this run to profile default', 'ID'],
    ['environment', 'work', 'no profile, and this run to profile work', 'ID --profile work'],
    ['work', 'environment', 'profile work, and this run to the account of SYN_API_KEY', 'ID'],
    ['default', 'environment', 'profile default, and this run to the account of SYN_API_KEY', 'ID'],
  ])('%s: -c refuses it with %s; --session continues it with one warning', async (held, other, words, line) => {
    await withProfiles(async (run, sent) => {
      expect(await run(held, '--save', 'x')).toMatchObject({ code: 0, err: '' })
      expect(await run(other, 'x')).toMatchObject({ code: 0, err: '' })
      const before = sent()
      for (const flags of [['-c'], ['--session', 'last'], ['-c', '--no-save']]) {
        const { code, err } = await run(other, '-q', ...flags, 'y')
        const shown = err.replaceAll(/\d{8}-\d{6}-\w{6}/g, 'ID')
        const hint = `hint: use syn chat --session ${line} to continue it all the same\n`
        expect([code, shown]).toEqual([2, `syn: the latest conversation, ID, belongs to ${words}\n${hint}`])
      }
      expect(sent()).toBe(before)
      const id = /\S+-\w{6}/.exec((await run(other, '-c', 'y')).err)?.[0] ?? ''
      const { code, err } = await run(other, '-q', '--session', id, 'y')
      const [own, current] = words.split(', and this run to ')
      const warning = `syn: this conversation was held with ${own}; from now on it goes to ${current}\n`
      expect([code, err]).toEqual([0, warning])
      // From then on it is the other one's.
      expect(await run(other, '-q', '-c', 'z')).toMatchObject({ code: 0, err: '' })
    })
  })

  test('that of SYN_API_KEY, and of older versions, is one of the default profile', async () => {
    const env = await withProfiles(async (run) => {
      await run('environment', '--save', 'x')
      for (const one of ['environment', 'default'])
        expect(await run(one, '-c', 'y')).toMatchObject({ code: 0, err: '' })
    })
    const profiles = linesIn(env.HOME).flatMap(({ type, profile = null }) => (type === 'turn' ? [profile] : []))
    expect(profiles).toEqual([null, null, 'default'])
  })

  test('syn sessions shows the profiles where there are several', async () => {
    const env = await withProfiles(async (run) => {
      await run('default', '--save', 'mine')
      await run('work', '--save', 'theirs')
    })
    const list = await runSyn(['sessions'], { env })
    expect(list.out.split('\n').map((row) => row.split('\t').slice(4))).toEqual([
      ['theirs', 'work'],
      ['mine', 'default'],
      [],
    ])
    const table = await runSyn(['sessions'], { env, isTerminal: true })
    expect(table.out).toMatch(/1 {2}work {5}theirs\n.* 1 {2}default {2}mine\n$/)
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
