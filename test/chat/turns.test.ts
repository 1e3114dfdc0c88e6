/** Messages and answers in the interactive chat: what is shown, what is sent, what is kept. */

import { describe, expect, test } from 'vitest'
import { said } from '../helpers/conversations.ts'
import { families } from '../helpers/families.ts'
import { json, type Answer } from '../helpers/service.ts'
import { talk } from '../helpers/talking.ts'

const widths = families.flatMap((family) => [80, 40].map((columns) => ({ name: family.name, columns, family })))

describe.each(widths)('$name at $columns columns', ({ columns, family }) => {
  const hello = family.streamed('Hel', 'lo')
  const { user, assistant } = family

  test('a greeting, an answer and what it took', async () => {
    await using chat = await talk([hello], { family, columns, argv: ['-m', 'hf:one'] })
    expect(chat.screen.lines()).toEqual([
      ...(columns > 40
        ? ['hf:one · /help lists the commands, Ctrl-D leaves']
        : ['hf:one · /help lists the commands,', 'Ctrl-D leaves']),
      '›',
    ])
    await chat.say('hi')
    expect(chat.below('› hi')).toEqual(['Hello', expect.stringMatching(/^3 \+ 2 tokens · \d\.\d\d s/), ''])
    expect(chat.service.asked.map(({ path }) => path)).toEqual([family.path])
    expect(chat.sent()).toEqual([
      { model: 'hf:one', ...family.always, ...family.conversation({ messages: [user('hi')] }) },
    ])
  })

  test('tokens, seconds, tokens a second and what is left of the quota stand below an answer', async () => {
    const left = { subscription: { limit: 500, requests: 1, renewsAt: '2026-11-21T15:34:41.359Z' } }
    const paced = family.paced({ 'x-synthetic-quotas': JSON.stringify(left) })
    await using chat = await talk([paced.answer], { family, columns })
    chat.screen.type('hi\r')
    await paced.send({ reasoning: 'Hm.' })
    // A rate is told of a stream that takes its time: so much that the spinner has turned twice.
    const seen = new Set<string>()
    await chat.screen.until((lines) => {
      const [, sign] = /^(\S) thinking · Hm\.$/.exec(lines.at(-1) ?? '') ?? []
      if (sign !== undefined) seen.add(sign)
      return seen.size > 2
    })
    await paced.finish('one two', { usage: [11, 2000] })
    await chat.screen.until((lines) => lines.at(-1) === '›')
    const status = chat.below('one two')
    expect(status.join(' ').trimEnd()).toMatch(
      /^11 \+ 2000 tokens · \d\.\d\d s · \d+ tokens\/s · 499 of 500 requests left$/,
    )
    expect(chat.screen.cellOf('11 + 2000').isDim()).toBeTruthy()
  })

  test('the next message goes with all that was said', async () => {
    await using chat = await talk([hello], { family, columns, argv: ['-s', 'Be brief.', '--temperature', '0'] })
    await chat.say('one')
    await chat.say('two')
    expect(chat.sent().at(-1)).toMatchObject({
      temperature: 0,
      ...family.conversation({ system: 'Be brief.', messages: [user('one'), assistant('Hello'), user('two')] }),
    })
    expect(said(chat.home, 'turn')).toMatchObject([{ system: 'Be brief.' }, {}])
  })

  test('Ctrl-C stops the answer, what came is kept, and the next message goes with it', async () => {
    const paced = family.paced()
    await using chat = await talk([paced.answer, hello], { family, columns })
    chat.screen.type('count\r')
    await paced.send('one two ')
    await chat.screen.until((lines) => lines.includes('one two'))
    chat.screen.type('\u0003')
    await chat.screen.until((lines) => lines.at(-1) === '›')
    await paced.closed
    expect(chat.below('› count')).toEqual(['one two', 'stopped; what came is kept', ''])
    await chat.say('go on')
    expect(chat.sent().at(-1)).toMatchObject(
      family.conversation({ messages: [user('count'), assistant('one two '), user('go on')] }),
    )
    expect(said(chat.home, 'end')[0]).toMatchObject({ error: 'interrupted' })
  })

  test('Ctrl-C before anything came leaves a message that /retry asks again', async () => {
    const paced = family.paced()
    await using chat = await talk([paced.answer, hello], { family, columns })
    chat.screen.type('hi\r')
    await paced.asked
    chat.screen.type('\u0003')
    await chat.screen.until(
      (lines) => lines.join(' ').includes('another message takes its place') && lines.at(-1) === '›',
    )
    expect(chat.told('› hi')).toBe('no answer came: /retry asks again, or another message takes its place')
    await chat.say('/retry')
    const once = family.conversation({ messages: [user('hi')] })
    expect(chat.sent()).toMatchObject([once, once])
  })

  test('an answer that breaks off is kept as far as it came, and the chat goes on', async () => {
    await using chat = await talk([family.cut('one two '), hello], { family, columns })
    await chat.say('count')
    const [answered, ...failure] = chat.below('› count')
    expect(answered).toBe('one two')
    expect(failure.join(' ')).toMatch(/^syn: the answer was cut short: the stream ended before the answer was complete/)
    await chat.say('go on')
    expect(chat.sent()[1]).toMatchObject(
      family.conversation({ messages: [user('count'), assistant('one two '), user('go on')] }),
    )
  })

  test('reasoning is one line that lives, then one that sums it up; /reasoning on shows all of it dimmed', async () => {
    const reasoning = [`${'长长的推理 and more of it '.repeat(9)}\n\n`, 'let me see']
    const [live, whole] = [family.paced(), family.paced()]
    await using chat = await talk([live.answer, whole.answer], { family, columns })
    const { screen } = chat
    screen.type('2+2\r')
    const isThinking = (words: string) => (lines: string[]) =>
      new RegExp(`^\\S thinking · .*${words}$`).test(lines.at(-1) ?? '')
    await live.send({ reasoning: `${reasoning[0]}` })
    await screen.until(isThinking('more of it'))
    await live.send({ reasoning: `${reasoning[1]}` })
    await screen.until(isThinking('let me see'))
    expect(chat.below('› 2+2')).toEqual([])
    await live.finish('Four')
    await screen.until((lines) => lines.at(-1) === '›')
    expect(chat.below('› 2+2').slice(0, 2)).toEqual([
      expect.stringMatching(/^thought for \d+\.\d s; \/reasoning on/),
      'Four',
    ])
    await chat.say('/reasoning on')
    void whole.finish(...reasoning.map((text) => ({ reasoning: text })), 'Four')
    await chat.say('3+1')
    const shown = chat.below('› 3+1')
    expect(shown.slice(-6, -2)).toEqual(['', 'let me see', '', 'Four'])
    expect(shown.slice(0, -6).join('').replaceAll(' ', '')).toBe(reasoning[0]?.replaceAll(/\s/g, ''))
    expect([screen.cellOf('let me see').isDim(), screen.cellOf('Four').isDim()].map(Boolean)).toEqual([true, false])
  })
})

describe.each(families)('what fails is said in the chat of $name, which goes on:', (family) => {
  const hello = family.streamed('Hel', 'lo')

  test('a key that is refused, a model that is gone, a quota that is spent, a fault of the service', async () => {
    const refusals = [401, 404, 429, 500].map((status) => json({ error: 'no' }, status))
    const [unauthorized, gone, spent, fault] = refusals as [Answer, Answer, Answer, Answer]
    // After the second the list of models is asked for, after the third the quota.
    const answers = [unauthorized, gone, json({ data: [] }), spent, json({}), fault, hello]
    await using chat = await talk(answers, { family, argv: ['--retries', '0'] })
    for (const status of [401, 404, 429, 500]) {
      await chat.say(`ask ${status}`)
      expect(chat.below(`› ask ${status}`)[0]).toMatch(new RegExp(`^syn: no \\(${status} .*\\)$`))
    }
    await chat.say('again')
    expect(chat.below('› again')[0]).toBe('Hello')
    expect(chat.sent().at(-1)).toMatchObject(family.conversation({ messages: [family.user('again')] }))
  })

  test('a service that is gone', async () => {
    await using chat = await talk([hello], { family, argv: ['--retries', '0'] })
    await chat.service.close()
    await chat.say('hi')
    expect(chat.below('› hi')[0]).toMatch(/^syn: /)
  })

  test('what to do about a model that is gone, in words of the chat', async () => {
    const gone = json({ error: 'gone' }, 404)
    const answers = [gone, json({ data: [{ id: 'hf:two' }] })]
    await using chat = await talk(answers, { family, columns: 200, argv: ['-m', 'hf:twe'] })
    await chat.say('hi')
    expect(chat.below('› hi')[1]).toBe(
      'hint: the model may have been rotated out; listed are hf:two; /model syn:large:text stays current',
    )
  })
})
