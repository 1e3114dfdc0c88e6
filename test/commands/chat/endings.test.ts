/** The notices about how an answer ended; and its reasoning. */

import { describe, expect, test } from 'vitest'
import { chat } from '../../helpers/chat.ts'
import { cut, delta, end, streamed } from '../../helpers/chat-chunks.ts'
import type { Answer } from '../../helpers/service.ts'
import { homeWithProfile } from '../../settings/stored.ts'

describe('exit 0 with a notice', () => {
  const full =
    "the model's context window is full, or the service limits answers; shorten the prompt, or ask for more with --max-tokens"
  test.each<[title: string, answer: Answer, out: string, notice: string]>([
    ['length', streamed('Hel', end('length')), 'Hel\n', `the answer was cut off: ${full}`],
    [
      'length, nothing but reasoning',
      streamed(delta({ reasoning_content: 'Hm' }), end('length')),
      '',
      `the answer is empty: ${full}`,
    ],
    [
      'content filter',
      streamed('Hel', end('content_filter')),
      'Hel\n',
      "the answer was stopped by the service's content filter",
    ],
    [
      'refusal',
      streamed(delta({ refusal: "I can't " }), delta({ refusal: 'do that.' }), end()),
      '',
      "the answer is a refusal: I can't do that.",
    ],
    ['empty but for reasoning', streamed(delta({ reasoning: 'Hm' }), end()), '', 'the answer is empty'],
  ])('%s', async (_title, answer, out, notice) => {
    const err = notice === '' ? '' : `syn: ${notice}\n`
    expect(await chat(['--retries', '0', 'hi'], { answer })).toMatchObject({ code: 0, out, err })
    // The end of an answer is part of it: it is printed even with --quiet.
    expect(await chat(['--quiet', 'hi'], { answer })).toMatchObject({ code: 0, out, err })
  })

  test.each<[argv: string[], answer: Answer, notice: string]>([
    [
      ['--max-completion-tokens', '5', '--max-tokens', '6'],
      streamed('Hel', end('length')),
      'was cut off at the token limit; raise it with --max-completion-tokens and --max-tokens',
    ],
    [
      ['-p', 'max_completion_tokens=5'],
      streamed(delta({ reasoning_content: 'Hm' }), end('length')),
      'is empty: the reasoning used up the token limit; raise it with --max-completion-tokens',
    ],
  ])('the limit that was set is named: %j', async (argv, answer, notice) => {
    expect((await chat([...argv, 'hi'], { answer })).err).toBe(`syn: the answer ${notice}\n`)
  })
})

test('a connection that breaks after a whole line of an event: its text is printed', async () => {
  const answer: Answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '10000' })
    const last = `data: ${JSON.stringify(delta(' world'))}`
    response.write(`data: ${JSON.stringify(delta('Hello'))}\n\n${last}`, () => response.destroy())
  }
  expect(await chat(['hi'], { answer })).toMatchObject({ code: 7, out: 'Hello world' })
})

describe('several answers are printed one after the other', () => {
  const interleaved = streamed(
    delta('one ', 0),
    delta('two ', 1),
    delta('three', 2),
    delta('1', 0),
    end('stop', 2),
    delta('2', 1),
    end('stop', 0),
    end('stop', 1),
  )
  const headed = 'Answer 1\none 1\n\nAnswer 2\ntwo 2\n\nAnswer 3\nthree\n'
  const separated = 'one 1\n\ntwo 2\n\nthree\n'

  test('with headings on a terminal, and blank lines in a pipe', async () => {
    const argv = ['--n', '3', 'hi']
    const onTerminal = await chat([...argv, '--raw', '--no-color'], { answer: interleaved, isTerminal: true })
    expect(onTerminal.out).toBe(headed)
    expect((await chat(argv, { answer: interleaved })).out).toBe(separated)
  })
})

describe('reasoning', () => {
  const answer = streamed(
    delta({ reasoning_content: 'Let me ' }),
    delta({ reasoning_content: 'think.' }),
    'Hello',
    end(),
  )
  test.each<[argv: string[], isTerminal: boolean, err: string]>([
    [[], false, ''],
    [['--reasoning'], false, 'Let me think.\n\n'],
    [['--no-color'], true, 'Let me think.\n\n'],
    [['--no-reasoning'], true, ''],
  ])('%j, on a terminal %s', async (argv, isTerminal, err) => {
    expect(await chat([...argv, 'hi'], { answer, isTerminal })).toMatchObject({ code: 0, out: 'Hello\n', err })
  })

  test('the setting color always', async () => {
    const HOME = homeWithProfile({ color: 'always' })
    const { err } = await chat(['--reasoning', 'hi'], { answer, env: { HOME } })
    expect(err.startsWith('\u001b[2mLet me ')).toBe(true)
  })

  test.each(['--json', '-x'])('with --reasoning it is shown with %s too', async (flag) => {
    const code = streamed(delta({ reasoning_content: 'Hm' }), '```\nls\n```', end())
    expect((await chat([flag, '--reasoning', 'hi'], { answer: code })).err).toBe('Hm\n\n')
  })
})

test('an answer that never came of two is named', async () => {
  const err = 'syn: the service sent 1 of 2 answers\n'
  expect(await chat(['--n', '2', 'hi'], { answer: streamed('one', end()) })).toMatchObject({
    code: 0,
    out: 'one\n',
    err,
  })
})

test('text after the finish reason is shown, and a second reason is ignored', async () => {
  const answer = streamed('one', end(), ' two', end(), end())
  expect(await chat(['hi'], { answer })).toMatchObject({ code: 0, out: 'one two\n', err: '' })
})

test('of two requested answers only one is cut short', async () => {
  const { code, out, err } = await chat(['--n', '2', 'hi'], { answer: cut(delta('one', 0), end('stop', 0)) })
  expect({ code, out }).toEqual({ code: 7, out: 'one' })
  expect(err).toBe('syn: the answer was cut short: the stream ended before the answer was complete\n')
})
