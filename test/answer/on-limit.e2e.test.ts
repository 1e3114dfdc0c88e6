/** `--on-limit wait`: a request that a used-up quota refused is sent again when the quota has come back. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { testNow } from '../helpers/clock.ts'
import { chat as chatFamily } from '../helpers/dialects.ts'
import { quoted } from '../helpers/program.ts'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from '../helpers/run-syn.ts'
import { type Answer, chatAnswer, events, json, type Service, startService } from '../helpers/service.ts'
import { texts, toolsFile } from '../helpers/tools.ts'
import { watchSyn } from '../helpers/watched-run.ts'

const hour = 3_600_000

const limited = json({ error: "You've exceeded your subscription rate limits." }, 429)
const noCredit = json({ error: 'Insufficient credits, no active subscription' }, 402)
const hi = events(chatAnswer(['Hi']))
const left = json({ subscription: { limit: 500, requests: 0 } })

const quotas = 'GET /v2/quotas'
const chat = 'POST /openai/v1/chat/completions'

/** A limit of which 5 % come back after this many milliseconds. */
function spentFor(wait: number, now = testNow): Answer {
  return (asked, response) => {
    const nextTickAt = new Date(now() + wait).toISOString()
    const rolling = { remaining: 0.4, max: 500, limited: true, tickPercent: 0.05, nextTickAt }
    return json({ rollingFiveHourLimit: rolling })(asked, response)
  }
}

const unknown = json({ rollingFiveHourLimit: { remaining: 0.4, max: 500, limited: true } })

/** Requests to models and for the quota get their answers in turn, the last ones again. */
function serviceOf(models: Answer[], records: Answer[]): Promise<Service> {
  const used = { models: 0, records: 0 }
  return startService((asked, response) => {
    if (asked.path === '/v2/quotas') return records[Math.min(used.records++, records.length - 1)]?.(asked, response)
    return models[Math.min(used.models++, models.length - 1)]?.(asked, response)
  })
}

type WaitOutcome = Outcome & { paths: string[] }

async function asked(
  argv: string[],
  models: Answer[],
  records: Answer[],
  options: RunOptions = {},
): Promise<WaitOutcome> {
  await using service = await serviceOf(models, records)
  const outcome = await runSyn(argv, { ...options, env: { ...service.env, TZ: 'UTC', ...options.env } })
  return { ...outcome, paths: service.asked.map(({ method, path }) => `${method} ${path}`) }
}

const waiting = ['chat', 'hi', '--on-limit', 'wait']

// The tests wait more than they work.
test.concurrent('in a pipe one notice says until when, and one request asks for the quota at that time', async () => {
  const { code, out, err, paths } = await asked(waiting, [limited, hi], [spentFor(600), left])
  expect({ code, out, paths }).toEqual({ code: 0, out: 'Hi\n', paths: [chat, quotas, quotas, chat] })
  expect(err).toMatch(/^syn: rollingFiveHourLimit is used up; waiting until \d{4}-\d\d-\d\d \d\d:\d\d \(now\)\n$/)
})

test.concurrent('without --on-limit, and with the setting off a terminal, it fails as before', async () => {
  const config = { XDG_CONFIG_HOME: emptyFolder() }
  expect(await runSyn(['config', 'set', 'on-limit', 'wait'], { env: config })).toMatchObject({ code: 0 })
  for (const argv of [
    ['chat', 'hi'],
    ['chat', 'hi', '--on-limit', 'stop'],
  ]) {
    const { code, err, paths } = await asked(argv, [limited, hi], [spentFor(300), left], { env: config })
    expect({ code, paths }).toEqual({ code: 5, paths: [chat, quotas] })
    expect(err).toContain('hint: the quota is used up; it renews at ')
  }
})

test.concurrent('on a terminal with the setting, a line counts down, which -q hides', async () => {
  const env = { XDG_CONFIG_HOME: emptyFolder() }
  expect(await runSyn(['config', 'set', 'on-limit', 'wait'], { env })).toMatchObject({ code: 0 })
  const argv = ['chat', 'hi', '--no-save']
  const { code, out, err } = await asked(argv, [limited, hi], [spentFor(700), left], { env, isTerminal: true })
  expect({ code, out: out.trim() }).toEqual({ code: 0, out: 'Hi' })
  expect(err).toMatch(/rollingFiveHourLimit used up; 5% back at \d\d:\d\d \(in 0\.\d s\) · Ctrl-C stops/)
  expect(err.endsWith('\r\u001b[K')).toBe(true)
  const quiet = await asked([...argv, '-q'], [limited, hi], [spentFor(600), left], { env, isTerminal: true })
  expect(quiet).toMatchObject({ code: 0, err: '' })
})

describe.concurrent('each command waits', () => {
  test.each<[name: string, argv: string[]]>([
    ['messages', ['messages', '--no-stream', 'hi']],
    ['complete', ['complete', 'hi']],
  ])('%s', async (_name, argv) => {
    const again: Answer = (_asked, response) => json({ error: 'came again' }, 400)(_asked, response)
    const { code, err, paths } = await asked([...argv, '--on-limit=wait'], [limited, again], [spentFor(100), left])
    expect({ code, paths: paths.length }).toEqual({ code: 1, paths: 4 })
    expect(err).toContain('came again')
  })

  test('embed, whose requests in flight share one wait', async () => {
    let refused = 0
    const vectors: Answer = (asked, response) => {
      const { input } = asked.json as { input: string | string[] }
      const data = [input].flat().map((_text, index) => ({ index, embedding: [1, 2] }))
      return json({ data, model: 'm', usage: { prompt_tokens: 1 } })(asked, response)
    }
    const answer: Answer = (asked, response) => {
      const isFirst = (asked.json as { input: string }).input === 'a'
      return isFirst || refused >= 4 ? vectors(asked, response) : (refused++, limited(asked, response))
    }
    const words = ['a', 'b', 'c', 'd', 'e', 'f']
    const argv = ['embed', '-m', 'hf:m', '--batch-size=1', '--on-limit=wait', ...words]
    const { code, out, err, paths } = await asked(argv, [answer], [...Array(4).fill(spentFor(600)), left])
    expect({ code, lines: out.trim().split('\n').length }).toEqual({ code: 0, lines: 6 })
    expect(err.match(/waiting until/g)).toHaveLength(1)
    // One for each refused request, and one after the wait.
    expect(paths.filter((path) => path === quotas)).toHaveLength(5)
  })

  test('each step of tools, whose earlier calls are not repeated', async () => {
    const ran = join(emptyFolder(), 'ran')
    const tools = toolsFile({
      tools: { note: { parameters: texts(), command: ['sh', '-c', `echo x >> ${quoted(ran)}`] } },
    })
    const argv = ['chat', 'Go', '--tools-file', tools, '--allow', 'note', '--on-limit=wait']
    const models = [chatFamily.streamed('', { call: 'note', given: '{}' }), limited, chatFamily.streamed('Done')]
    const { code, out, paths } = await asked(argv, models, [spentFor(200), left], {
      env: { PATH: process.env.PATH ?? '' },
    })
    expect({ code, out, models: paths.filter((path) => path === chat).length }).toEqual({
      code: 0,
      out: 'Done\n',
      models: 3,
    })
    expect(readFileSync(ran, 'utf8')).toBe('x\n')
  })
})

describe.concurrent('--max-wait', () => {
  test('is refused where nothing waits', async () => {
    for (const argv of [
      ['chat', 'hi'],
      ['embed', 'a', '-m', 'hf:m'],
      ['chat', 'hi', '--on-limit=stop'],
      ['batch', '--on-limit=stop'],
    ]) {
      const { code, err } = await runSyn([...argv, '--max-wait', '1h'], { stdin: '', isTerminal: true })
      expect({ code, err }).toEqual({ code: 2, err: 'syn: --max-wait needs --on-limit wait\n' })
    }
  })

  test('a renewal beyond it ends the run at once, with a --max-wait that would do', async () => {
    const { code, err, paths } = await asked([...waiting, '--max-wait', '90m'], [limited], [spentFor(2.5 * hour)])
    expect({ code, paths }).toEqual({ code: 5, paths: [chat, quotas] })
    expect(err).toMatch(
      /^syn: rollingFiveHourLimit is used up; 1 request will be left at .+\nhint: use --max-wait 3h to wait for it\n$/,
    )
  })

  test('a quota that never comes back ends it in the end', async () => {
    const { code, err, paths } = await asked([...waiting, '--max-wait', '1s'], [limited], [unknown])
    expect({ code, paths }).toEqual({ code: 5, paths: [chat, quotas, quotas] })
    expect(err).toMatch(
      /^syn: .* is used up, renewal time unknown; checking every minute\nsyn: .* is used up; waited 1\.\d s\n$/,
    )
  })

  test('counts from the first refusal, however often the quota seems to be back', async () => {
    const { code, err, paths } = await asked(
      [...waiting, '--max-wait', '1s'],
      [limited],
      [spentFor(600), left, spentFor(600), left, spentFor(900)],
    )
    expect({ code, requests: paths.filter((path) => path === chat).length }).toEqual({ code: 5, requests: 3 })
    expect(err).toContain('hint: use --max-wait 1h to wait for it')
  })
})

test.concurrent('off a terminal, one line an hour', async () => {
  // Each look at the clock takes three minutes: the time that a busy machine takes does not count.
  let clock = Date.now()
  const now = (): number => (clock += 3 * 60_000)
  const { code, out, err } = await asked(waiting, [limited, hi], [spentFor(4 * hour, now), left], { now })
  expect({ code, out }).toEqual({ code: 0, out: 'Hi\n' })
  expect(err.match(/ is used up; waiting until /g)).toHaveLength(4)
})

describe.concurrent('does not wait', () => {
  test.each<[what: string, models: Answer[], records: Answer[], paths: string[]]>([
    ['for credit that does not come back', [noCredit], [json({})], [chat, quotas]],
    ['for credit whose quota names no time', [noCredit], [unknown], [chat, quotas]],
    ['for a quota that cannot be read', [noCredit], [json({}, 404)], [chat, quotas]],
    ['at the limit of a rate', [limited], [left], [chat, quotas, chat]],
  ])('%s', async (_what, models, records, paths) => {
    const outcome = await asked([...waiting, '--retries=1'], models, records)
    expect(outcome).toMatchObject({ code: 5, paths })
    expect(outcome.err).not.toContain('waiting')
  })

  test('when an answer came, whatever its quota says', async () => {
    const spent = { subscription: { limit: 5, requests: 5 } }
    const last = events(chatAnswer(['Hi']), { 'x-synthetic-quotas': JSON.stringify(spent) })
    expect(await asked(waiting, [last], [left])).toMatchObject({ code: 0, out: 'Hi\n', err: '', paths: [chat] })
  })

  test('for a preview', async () => {
    expect(await asked([...waiting, '--dry-run'], [limited], [spentFor(300)])).toMatchObject({ code: 0, paths: [] })
  })
})

test.concurrent('credit that comes back with the quota is waited for', async () => {
  const { code, out, paths } = await asked(waiting, [noCredit, hi], [spentFor(200), left])
  expect({ code, out, paths }).toEqual({ code: 0, out: 'Hi\n', paths: [chat, quotas, quotas, chat] })
})

test.concurrent('a quota that fails to be read ends with the longest wait', async () => {
  const argv = [...waiting, '--max-wait', '500ms', '--retries', '0']
  const { code, err } = await asked(argv, [limited], [spentFor(200), json({ error: 'down' }, 500)])
  expect(code).toBe(5)
  expect(err).toContain('syn: the quota is used up, and cannot be read again: down')
})

test.concurrent('a quota that cannot be read any more is left to the request', async () => {
  const { code, out, paths } = await asked(waiting, [limited, hi], [spentFor(200), json({ error: 'gone' }, 403)])
  expect({ code, out, paths }).toEqual({ code: 0, out: 'Hi\n', paths: [chat, quotas, quotas, chat] })
})

test.concurrent('a signal ends the wait at once', async () => {
  await using service = await serviceOf([limited, hi], [spentFor(hour)])
  const run = watchSyn(waiting, service.env, {
    onNotice: () => setImmediate(() => run.stop(new InterruptedError(15))) as unknown as void,
  })
  expect(await run.outcome).toMatchObject({ code: 143, out: '' })
  expect(service.asked).toHaveLength(2)
})

test.concurrent('an error that says so after some of the reasoning is not waited for: it would be shown twice', async () => {
  const chunk = { choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] }
  const error = { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } }
  const begun = events(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(error)}\n\n`)
  const { code, out, paths } = await asked(waiting, [begun], [spentFor(200), left])
  expect({ code, out, paths }).toEqual({ code: 5, out: '', paths: [chat] })
})

test.concurrent('at the sandbox, whose limit comes back in parts of half a request', async () => {
  const part = 200
  const sandbox = await startSandbox({ port: 0, rate: 0, limit: 10, renewal: 20 * part, now: testNow })
  const env = { SYN_BASE_URL: sandbox.baseUrl, SYN_API_KEY: `${sandbox.key}-limited` }
  try {
    const started = testNow()
    for (const word of ['one', 'two']) {
      const { code, out } = await runSyn(['chat', '-m', 'syn:large:vision', word, '--on-limit=wait'], { env })
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(word) as string })
    }
    expect(testNow() - started).toBeGreaterThan(3 * part)
  } finally {
    await sandbox.close()
  }
})
