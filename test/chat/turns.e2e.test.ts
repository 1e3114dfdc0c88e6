/** Messages and answers in the chat: what is shown, sent and saved. */

import { describe, expect, test } from 'vitest'
import { entriesIn } from '../helpers/conversations.ts'
import { chat as chatFamily, dialects } from '../helpers/dialects.ts'
import { json, type Answer } from '../helpers/service.ts'
import { emptyFile } from '../helpers/run-syn.ts'
import { lastTextLine, openChat } from '../helpers/interactive-chat.ts'

// Its tests wait more than they work.
describe.concurrent.each(dialects)('$name', (dialect) => {
  const columns = 40
  const hello = dialect.streamed('Hel', 'lo')
  const { user, assistant } = dialect

  test('greeting, status row, answer and usage line', async ({ expect }) => {
    await using chat = await openChat([hello], { dialect, columns, argv: ['-m', 'hf:one'] })
    await expect.poll(chat.screen.lines).toEqual(['hf:one · /help for commands, Ctrl-D to', 'exit', '', 'hf:one', '›'])
    await chat.enter('hi')
    expect(chat.linesBelow('› hi')).toEqual(['Hello', expect.stringMatching(/^3 \+ 2 tokens · \d\.\d\d s/), ''])
    await chat.screen.until((lines) => lines.at(-2) === 'hf:one · 5 tokens')
    expect(chat.sent()).toEqual([
      { model: 'hf:one', ...dialect.alwaysSent, ...dialect.conversation({ messages: [user('hi')] }) },
    ])
  })

  test('tokens, seconds, tokens per second and remaining quota are printed below an answer', async () => {
    const left = { subscription: { limit: 500, requests: 1, renewsAt: '2026-11-21T15:34:41.359Z' } }
    const paced = dialect.paced({ 'x-synthetic-quotas': JSON.stringify(left) })
    await using chat = await openChat([paced.answer], { dialect, columns })
    chat.screen.type('hi\r')
    await paced.send({ reasoning: 'Hm.' })
    // Only a slow stream has a rate: slow enough for this to appear.
    await chat.screen.until((lines) => lastTextLine(lines) === 'thinking · Hm.')
    await paced.finish('one two', { usage: [11, 2000] })
    await chat.screen.until((lines) => lines.at(-1) === '›')
    const status = chat.linesBelow('one two')
    expect(status.join(' ').trimEnd()).toMatch(
      /^11 \+ 2,000 tokens · \d\.\d\d s · \d+ tokens\/s · 499 of 500 requests left$/,
    )
    expect(chat.screen.cellOf('11 + 2,000').isDim()).toBeTruthy()
  })

  test('the next request includes the whole conversation', async () => {
    await using chat = await openChat([hello], { dialect, columns, argv: ['-s', 'Be brief.', '--temperature', '0'] })
    await chat.enter('one')
    await chat.enter('two')
    expect(chat.sent().at(-1)).toMatchObject({
      temperature: 0,
      ...dialect.conversation({ system: 'Be brief.', messages: [user('one'), assistant('Hello'), user('two')] }),
    })
    expect(entriesIn(chat.home, 'turn')).toMatchObject([{ system: 'Be brief.' }, {}])
  })

  test('Ctrl-C stops the answer; the partial answer is kept and sent with the next message', async () => {
    const paced = dialect.paced()
    await using chat = await openChat([paced.answer, hello], { dialect, columns })
    chat.screen.type('count\r')
    await paced.send('one two ')
    await chat.screen.until((lines) => lines.includes('one two'))
    await chat.type('\u0003', '›')
    await paced.closed
    expect(chat.linesBelow('› count')).toEqual(['one two', 'stopped; the partial answer is kept', ''])
    await chat.enter('go on')
    expect(chat.sent().at(-1)).toMatchObject(
      dialect.conversation({ messages: [user('count'), assistant('one two '), user('go on')] }),
    )
    expect(entriesIn(chat.home, 'end')[0]).toMatchObject({ error: 'interrupted' })
  })

  test('the received part of an interrupted answer is kept, and the chat continues', async () => {
    await using chat = await openChat([dialect.cut('one two '), hello], { dialect, columns })
    await chat.enter('count')
    const [answered, ...failure] = chat.linesBelow('› count')
    expect(answered).toBe('one two')
    expect(failure.join(' ')).toMatch(/^syn: the answer was cut short: the stream ended before the answer was complete/)
    expect(failure.join(' ').trimEnd()).toMatch(/the partial answer is kept; \/retry asks again$/)
    await chat.enter('go on')
    expect(chat.sent()[1]).toMatchObject(
      dialect.conversation({ messages: [user('count'), assistant('one two '), user('go on')] }),
    )
  })

  test('reasoning is one live line, then a summary; /reasoning shows it; after /reasoning on, answers show all of it', async () => {
    const reasoning = [`${'长长的推理 and more of it '.repeat(9)}\n\n`, 'let me see']
    const [live, whole] = [dialect.paced(), dialect.paced()]
    await using chat = await openChat([live.answer, whole.answer], { dialect, columns })
    const { screen } = chat
    screen.type('2+2\r')
    const isThinking = (words: string) => (lines: string[]) =>
      new RegExp(`^thinking · .*${words}$`).test(lastTextLine(lines) ?? '')
    await live.send({ reasoning: `${reasoning[0]}` })
    await screen.until(isThinking('more of it'))
    await live.send({ reasoning: `${reasoning[1]}` })
    await screen.until(isThinking('let me see'))
    expect(chat.linesBelow('› 2+2')).toEqual([expect.stringMatching(/^thinking /)])
    await live.finish('Four')
    await screen.until((lines) => lines.at(-1) === '›')
    expect(chat.linesBelow('› 2+2').slice(0, 2)).toEqual([
      expect.stringMatching(/^thought for \d+\.\d s; \/reasoning shows it$/),
      'Four',
    ])
    const wholeReasoning = reasoning[0]?.replaceAll(/\s/g, '')
    await chat.enter('/reasoning')
    const thought = chat.linesBelow('› /reasoning')
    expect(thought.slice(-5)).toEqual(['', 'let me see', '', 'reasoning of later answers: one line', ''])
    expect(thought.slice(0, -5).join('').replaceAll(' ', '')).toBe(wholeReasoning)
    expect(screen.cellOf('let me see').isDim()).toBeTruthy()
    await chat.enter('/reasoning on')
    void whole.finish(...reasoning.map((text) => ({ reasoning: text })), 'Four')
    await chat.enter('3+1')
    const shown = chat.linesBelow('› 3+1')
    expect(shown.slice(-6, -2)).toEqual(['', 'let me see', '', 'Four'])
    expect(shown.slice(0, -6).join('').replaceAll(' ', '')).toBe(wholeReasoning)
    expect([screen.cellOf('let me see').isDim(), screen.cellOf('Four').isDim()].map(Boolean)).toEqual([true, false])
  })
})

describe.concurrent.each(dialects)('the chat of $name prints failures and continues:', (dialect) => {
  const hello = dialect.streamed('Hel', 'lo')

  test('status 401, 404, 429 and 500', async () => {
    const refusals = [401, 404, 429, 500].map((status) => json({ error: 'no' }, status))
    const [unauthorized, gone, spent, fault] = refusals as [Answer, Answer, Answer, Answer]
    // After the second, the chat requests the model list; after the third, the quota.
    const answers = [unauthorized, gone, json({ data: [] }), spent, json({}), fault, hello]
    await using chat = await openChat(answers, { dialect, argv: ['--retries', '0'] })
    for (const status of [401, 404, 429, 500]) {
      await chat.enter(`ask ${status}`)
      expect(chat.linesBelow(`› ask ${status}`)[0]).toMatch(new RegExp(`^syn: no \\(${status} .*\\)$`))
    }
    await chat.enter('again')
    expect(chat.linesBelow('› again')[0]).toBe('Hello')
    expect(chat.sent().at(-1)).toMatchObject(dialect.conversation({ messages: [dialect.user('again')] }))
  })
})

test('a service that refuses the request for usage is asked once, also without a cache', async () => {
  const refusal = json({ error: 'unknown field stream_options' }, 400)
  const service: Answer = (asked, response) =>
    (JSON.stringify(asked.json ?? '').includes('include_usage') ? refusal : chatFamily.streamed('Hi'))(asked, response)
  await using chat = await openChat([service], { env: { XDG_CACHE_HOME: emptyFile() } })
  await chat.enter('Hello')
  await chat.enter('Hello again')
  expect(chat.sent().map((body) => 'stream_options' in body)).toEqual([true, false, false])
})

test('the wait before a retry counts down, and Ctrl-C ends it', async () => {
  await using chat = await openChat([
    (_asked, response) => void response.writeHead(429, { 'retry-after': '100' }).end('{"error":"busy"}'),
  ])
  chat.screen.type('hi\r')
  const rows = new Set<string>()
  await chat.screen.until((lines) => {
    for (const line of lines) if (line.startsWith('retrying in ')) rows.add(line)
    return rows.size >= 2
  })
  const lefts = [...rows].map((row) => Number(/^retrying in 1 min (\d+) s$/.exec(row)?.[1]))
  expect(lefts).toEqual([...new Set(lefts)].sort((a, b) => b - a))
  expect(lefts[0]).toBeGreaterThan(30)
  chat.screen.type('\u0003')
  await chat.screen.until((lines) => lines.at(-1) === '›' && !lines.some((line) => line.startsWith('retrying in ')))
  expect(chat.screen.lines().join('\n')).toContain('no answer: /retry sends the message again')
})
