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
    ['stop', streamed('Hello', end()), 'Hello\n', ''],
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
    expect(await chat(['hi'], { answer })).toMatchObject({ code: 0, out, err })
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
    [
      ['--max-tokens', '5'],
      streamed(end('length')),
      'is empty: the token limit was reached first; raise it with --max-tokens',
    ],
  ])('the limit that was set is named: %j', async (argv, answer, notice) => {
    expect((await chat([...argv, 'hi'], { answer })).err).toBe(`syn: the answer ${notice}\n`)
  })
})

test('cut short: the part received is printed, and the exit status is 7', async () => {
  expect(await chat(['hi'], { answer: cut('Hel', 'lo') })).toMatchObject({
    code: 7,
    out: 'Hello',
    err: 'syn: the answer was cut short: the stream ended before the answer was complete\n',
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

  test.each<[argv: string[], shown: string]>([
    [['--n', '3'], headed],
    // The first has started when the second arrives.
    [[], headed.replace('Answer 1\n', '')],
  ])('with headings on a terminal, and blank lines in a pipe: %j', async (argv, shown) => {
    const onTerminal = await chat([...argv, '--raw', '--no-color', 'hi'], { answer: interleaved, isTerminal: true })
    expect(onTerminal.out).toBe(shown)
    expect((await chat([...argv, 'hi'], { answer: interleaved })).out).toBe(separated)
  })
})

describe('reasoning', () => {
  const answer = streamed(
    delta({ reasoning_content: 'Let me ' }),
    delta({ reasoning_content: 'think.' }),
    'Hello',
    end(),
  )
  test.each<[argv: string[], isTerminal: boolean, err: RegExp]>([
    [[], false, /^$/],
    [['--reasoning'], false, /^Let me think\.\n\n$/],
    // oxlint-disable-next-line no-control-regex
    [['--reasoning', '--color'], false, /^\u001b\[2mLet me think\.\u001b\[22m\n\n$/],
    [['--no-color'], true, /^Let me think\.\n\n$/],
    [['--no-reasoning'], true, /^$/],
  ])('%j, on a terminal %s', async (argv, isTerminal, err) => {
    const result = await chat([...argv, 'hi'], { answer, isTerminal })
    expect(result).toMatchObject({ code: 0, out: 'Hello\n' })
    expect(result.err.replaceAll(/\u001b\[22m\u001b\[2m/g, '')).toMatch(err)
  })

  test.each([
    ['always', false, true],
    ['auto', false, false],
  ])('the setting color: %s, on a terminal %s', async (color, isTerminal, hasColor) => {
    const HOME = homeWithProfile({ color })
    const { err } = await chat(['--reasoning', 'hi'], { answer, isTerminal, env: { HOME } })
    expect(err.includes('\u001b[2m')).toBe(hasColor)
  })

  test.each(['--json', '--jsonl', '-x'])('with --reasoning it is shown with %s too', async (flag) => {
    const code = streamed(delta({ reasoning_content: 'Hm' }), '```\nls\n```', end())
    expect((await chat([flag, '--reasoning', 'hi'], { answer: code })).err).toBe('Hm\n\n')
  })
})

test('text after the finish reason is shown, and a second reason is ignored', async () => {
  const answer = streamed('one', end(), ' two', end(), end())
  expect(await chat(['hi'], { answer })).toMatchObject({ code: 0, out: 'one two\n', err: '' })
})
