/** The usage of a streamed answer is requested where it is shown or printed, and not again from a service that refuses. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { playBack } from '../helpers/foreign.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService, type Answer, type Service } from '../helpers/service.ts'

type Sent = { stream_options?: unknown }

const option = { include_usage: true }

/** A service that sends usage only on request, as the recorded one. */
const service: Answer = (asked, response) => {
  if (asked.path.endsWith('/models')) return playBack('llama-models')(asked, response)
  if (asked.path.endsWith('/completions') && !asked.path.includes('chat'))
    return playBack('llama-complete-stream-logprobs')(asked, response)
  if (asked.path.endsWith('/messages')) return playBack('llama-messages-stream')(asked, response)
  const isAsked = JSON.stringify((asked.json as Sent).stream_options) === JSON.stringify(option)
  return playBack(isAsked ? 'llama-chat-stream-usage' : 'llama-chat-stream')(asked, response)
}

/** Refuses the option with this reply. */
function refusing(reply: unknown, status: number, otherwise = service): Answer {
  return (asked, response) =>
    (asked.json as Sent | undefined)?.stream_options === undefined
      ? otherwise(asked, response)
      : json(reply, status)(asked, response)
}

const unknownField = { error: { message: 'Unrecognized request argument supplied: stream_options' } }

function optionsSent({ asked }: Service): unknown[] {
  return asked.filter(({ method }) => method === 'POST').map((one) => (one.json as Sent).stream_options)
}

async function sentBy(argv: string[]): Promise<unknown> {
  await using running = await startService(service)
  const { code } = await runSyn([...argv, '-m', 'hf:tiny/random', 'Hello'], { env: running.env })
  expect(code).toBe(0)
  return optionsSent(running)
}

test.each<[argv: string[], sent: unknown]>([
  [['chat', '-u'], option],
  [['complete', '--json'], option],
  [['chat'], undefined],
  [['chat', '--json', '--no-stream'], undefined],
  [['chat', '-u', '--api', 'messages'], undefined],
  [['chat', '-u', '--stream-options', '{"include_usage":false}'], { include_usage: false }],
  [['chat', '--json', '-p', 'stream_options=null'], null],
])('%j sends %j', async (argv, sent) => {
  expect(await sentBy(argv)).toEqual([sent])
})

test('usage is shown, and is part of --json', async () => {
  await using running = await startService(service)
  const run = (flag: string) => runSyn(['chat', flag, '-m', 'hf:tiny/random', 'Hello'], { env: running.env })
  expect((await run('-u')).err).toContain('\nsyn: 24 prompt (23 cached) + 4 completion tokens · ')
  const answer = JSON.parse((await run('--json')).out) as Record<string, unknown>
  expect(answer.usage).toMatchObject({ prompt_tokens: 24, completion_tokens: 4 })
  expect(answer.choices).toMatchObject([{ message: { content: ' na na na na' }, finish_reason: 'length' }])
})

describe('a service that refuses it', () => {
  test.each<[status: number, reply: unknown]>([
    [400, unknownField],
    [422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }],
  ])('%i %j: asked once more without it', async (status, reply) => {
    await using running = await startService(refusing(reply, status))
    const { code, out } = await runSyn(['chat', '--json', '-m', 'hf:tiny/random', 'Hello'], { env: running.env })
    expect({ code, sent: optionsSent(running) }).toEqual({ code: 0, sent: [option, undefined] })
    expect(JSON.parse(out)).toMatchObject({ choices: [{ message: { content: ' na na na were' } }] })
  })

  test.each<[title: string, argv: string[], status: number, reply: unknown]>([
    ['other words', [], 400, { error: 'too many messages' }],
    ['another status', [], 409, unknownField],
    ['options of the user', ['--stream-options', '{"include_usage":true}'], 400, unknownField],
  ])('%s: the error of the first try', async (_title, argv, status, reply) => {
    await using running = await startService(refusing(reply, status))
    const { code, out, err } = await runSyn(['chat', '-u', ...argv, 'Hello'], { env: running.env })
    expect({ code, out, sent: optionsSent(running) }).toEqual({ code: 1, out: '', sent: [option] })
    expect(err).toContain(`(${status} `)
  })

  test('the error of the second try is the one reported, and nothing is remembered', async () => {
    await using running = await startService(refusing(unknownField, 400, json({ error: 'no such thing' }, 400)))
    const env = { ...running.env, HOME: emptyFolder() }
    for (const _run of [1, 2]) {
      expect(await runSyn(['chat', '-u', 'Hello'], { env })).toMatchObject({
        code: 1,
        err: 'syn: no such thing (400 Bad Request)\n',
      })
    }
    expect(optionsSent(running)).toEqual([option, undefined, option, undefined])
  })

  test('is remembered for an hour, for this endpoint, until the models are refreshed', async () => {
    await using running = await startService(refusing(unknownField, 400))
    const home = emptyFolder()
    const run = async (...argv: string[]): Promise<unknown[]> => {
      const before = optionsSent(running).length
      const { code } = await runSyn(argv, { env: { ...running.env, HOME: home } })
      expect(code).toBe(0)
      return optionsSent(running).slice(before)
    }
    expect(await run('chat', '-u', 'Hello')).toEqual([option, undefined])
    expect(await run('chat', '-u', 'Hello')).toEqual([undefined])
    const { out } = await runSyn(['chat', '-u', '--dry-run', 'Hello'], { env: { ...running.env, HOME: home } })
    expect(out).not.toContain('stream_options')
    expect(await run('complete', '-u', 'Hello')).toEqual([option, undefined])
    expect(await run('complete', '-u', 'Hello')).toEqual([undefined])
    expect(await run('chat', '-u', 'Hello')).toEqual([undefined])

    const folder = join(home, '.cache', 'syn')
    const path = join(folder, readdirSync(folder).find((name) => name.startsWith('no-usage-option')) ?? '')
    const entry = JSON.parse(readFileSync(path, 'utf8')) as { saved: number }
    writeFileSync(path, JSON.stringify({ ...entry, saved: entry.saved - 3_600_001 }))
    expect(await run('chat', '-u', 'Hello')).toEqual([option, undefined])

    expect(await run('models', '--refresh')).toEqual([])
    expect(await run('chat', '-u', 'Hello')).toEqual([option, undefined])
  })
})
