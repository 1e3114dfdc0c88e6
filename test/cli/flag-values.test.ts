/** Values of flags that need none: `--json=false`, `--color=never`, and words that look like such a value. */

import { describe, expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { chat, refusalOf, sentBy } from '../helpers/chat.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

describe('=true and =false', () => {
  test.each([
    [['--stream=false'], { stream: false }],
    [['--no-stream', '--stream=true'], { stream: true }],
    [['--parallel-tool-calls=false'], { parallel_tool_calls: false }],
    [['--json-object', '--json-object=false'], { response_format: undefined }],
  ])('%j', async (argv, fields) => {
    const { stream, ...body } = await sentBy([...argv, 'hi'])
    const { parallel_tool_calls, response_format } = body
    expect({ stream, parallel_tool_calls, response_format }).toMatchObject(fields)
    expect(body.messages).toEqual([{ role: 'user', content: 'hi' }])
  })

  test('--json=true prints JSON, --json=false text', async () => {
    expect((await chat(['--json=true', 'hi'])).out).toMatch(/^\{/)
    expect((await chat(['--json', '--json=false', 'hi'])).out).toBe('Hello\n')
  })

  test('of a global option, before the command', async () => {
    const { code, out } = await runSyn(['--quiet=true', '--sandbox=true', 'models', '--ids=true'])
    expect({ code, first: out.split('\n')[0] }).toEqual({ code: 0, first: expect.stringMatching(/^(hf|syn):/) })
  })

  test.each([
    ['--no-stream=false', '--no-stream takes no value'],
    ['--color=maybe', '--color: "maybe" is not accepted; expected auto, always or never'],
    ['--help=true', '--help takes no value'],
  ])('%s is refused', async (flag, refusal) => {
    expect(await refusalOf([flag, 'hi'])).toBe(refusal)
  })
})

describe('--color', () => {
  const env = { TERM: 'xterm' }
  const answer = streamed(delta({ reasoning_content: 'Hm.' }), 'Hello', end())
  test.each([
    [['--color'], false, true],
    [['--color=auto'], false, false],
    [['--color=auto'], true, true],
    [['--color=never'], true, false],
    [['--no-color'], true, false],
    [['--no-color', '--color=always'], false, true],
  ])('%j, on a terminal: %j', async (argv, isTerminal, hasColor) => {
    const { err } = await chat([...argv, '--reasoning', 'hi'], { answer, isTerminal, env })
    expect(err.includes('\u001b[')).toBe(hasColor)
  })

  test('overrides the setting', async () => {
    const home = emptyFolder()
    expect((await runSyn(['config', 'set', 'color', 'never'], { env: { HOME: home } })).code).toBe(0)
    const { err } = await chat(['--reasoning', '--color', 'hi'], { answer, env: { HOME: home, ...env } })
    expect(err.includes('\u001b[')).toBe(true)
  })
})

describe('a word that looks like the value of the flag before it', () => {
  test.each([
    ['chat --color never hi', '--color never'],
    ['chat --logprobs 5 hi', '--logprobs 5'],
    ['chat --stream false hi', '--stream false'],
    ['chat --no-stream true hi', '--no-stream true'],
    ['chat -uq true hi', '-uq true'],
    ['sessions search --json true hi', '--json true'],
    ['--color never chat hi', '--color never'],
  ])('syn %s', async (line, words) => {
    await using service = await startService(json({}))
    const outcome = await runSyn(line.split(' '), { env: service.env, stdin: 'text' })
    const err = `syn: ${words} is ambiguous: write a value after =, and text after --\n`
    expect({ ...outcome, requests: service.asked.length }).toEqual({ code: 2, out: '', err, requests: 0 })
  })

  test('the effort of --reasoning has an option of its own', async () => {
    const { code, err } = await runSyn(['chat', '--reasoning', 'high', 'hi'])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^syn: --reasoning high is ambiguous: .*\nhint: .* use --reasoning-effort high\n$/),
    })
  })

  test.each([
    [['--stream', '--', 'false', 'hi'], 'false hi'],
    [['--stream', 'falsehood', 'hi'], 'falsehood hi'],
    [['true', 'or', 'false'], 'true or false'],
  ])('%j is a prompt', async (argv, prompt) => {
    const { messages } = await sentBy(argv)
    expect(messages).toEqual([{ role: 'user', content: prompt }])
  })
})
