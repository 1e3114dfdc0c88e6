/** Values of flags that need none: `--json=false`, `--color=never`, and words that look like such a value. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { chat, refusalOf, sentBy } from '../helpers/chat.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

describe('=true and =false', () => {
  test.each([
    [['--stream=false'], { stream: false }],
    [['--stream=true'], { stream: true }],
    [['--no-stream', '--stream=true'], { stream: true }],
    [['--stream=true', '--no-stream'], { stream: false }],
    [['--parallel-tool-calls=false'], { parallel_tool_calls: false }],
    [['--logprobs=false'], { logprobs: false }],
    [['--json-object=false'], { response_format: undefined }],
    [['--json-object', '--json-object=false'], { response_format: undefined }],
    [['--json-object=false', '--json-object'], { response_format: { type: 'json_object' } }],
  ])('%j', async (argv, fields) => {
    const { stream, ...body } = await sentBy([...argv, 'hi'])
    const { parallel_tool_calls, logprobs, response_format } = body
    expect({ stream, parallel_tool_calls, logprobs, response_format }).toMatchObject(fields)
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
    ['--json=yes', '--json: "yes" is not accepted; expected true or false'],
    ['--json=', '--json: "" is not accepted; expected true or false'],
    ['--stream=1', '--stream: "1" is not accepted; expected true or false'],
    ['--no-stream=false', '--no-stream takes no value'],
    ['--no-color=always', '--no-color takes no value'],
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
    [['--color=always'], false, true],
    [['--color=true'], false, true],
    [['--color=auto'], false, false],
    [['--color=auto'], true, true],
    [['--color=never'], true, false],
    [['--color=false'], true, false],
    [['--no-color'], true, false],
    [['--no-color', '--color=always'], false, true],
    [['--color', '--color=auto'], false, false],
  ])('%j, on a terminal: %j', async (argv, isTerminal, hasColor) => {
    const { err } = await chat([...argv, '--reasoning', 'hi'], { answer, isTerminal, env })
    expect(err.includes('\u001b[')).toBe(hasColor)
  })

  test.each([
    ['always', '--color=auto', false],
    ['never', '--color', true],
  ])('overrides the setting %s', async (setting, flag, hasColor) => {
    const home = emptyFolder()
    expect((await runSyn(['config', 'set', 'color', setting], { env: { HOME: home } })).code).toBe(0)
    const { err } = await chat(['--reasoning', flag, 'hi'], { answer, env: { HOME: home, TERM: 'xterm' } })
    expect(err.includes('\u001b[')).toBe(hasColor)
  })
})

describe('a word that looks like the value of the flag before it', () => {
  test.each([
    ['chat --color never hi', 'syn chat --color=never hi', 'syn chat --color -- never hi'],
    ['chat --logprobs 5 hi', 'syn chat --logprobs=5 hi', 'syn chat --logprobs -- 5 hi'],
    ['chat --stream false hi', 'syn chat --stream=false hi', 'syn chat --stream -- false hi'],
    ['chat --json true hi', 'syn chat --json=true hi', 'syn chat --json -- true hi'],
    ['chat --no-stream true hi', 'syn chat --no-stream hi', 'syn chat --no-stream -- true hi'],
    ['chat --no-stream false hi', 'syn chat --stream hi', 'syn chat --no-stream -- false hi'],
    ['chat --json always hi', 'syn chat --json=true hi', 'syn chat --json -- always hi'],
    ['chat --json auto hi', 'syn chat hi', 'syn chat --json -- auto hi'],
    ['chat -uq true hi', 'syn chat -u --quiet=true hi', 'syn chat -uq -- true hi'],
    ['chat hi --json true', 'syn chat hi --json=true', 'syn chat hi --json -- true'],
    [
      'chat --json true hi -m hf:a/b you',
      'syn chat --json=true hi -m hf:a/b you',
      'syn chat --json -m hf:a/b -- true hi you',
    ],
    ['messages --stream false hi', 'syn messages --stream=false hi', 'syn messages --stream -- false hi'],
    ['complete --echo true hi', 'syn complete --echo=true hi', 'syn complete --echo -- true hi'],
    ['embed --lines true hi', 'syn embed --lines=true hi', 'syn embed --lines -- true hi'],
    ['count-tokens --json true hi', 'syn count-tokens --json=true hi', 'syn count-tokens --json -- true hi'],
    ['search --json true hi', 'syn search --json=true hi', 'syn search --json -- true hi'],
    ['sessions search --json true hi', 'syn sessions search --json=true hi', 'syn sessions search --json -- true hi'],
  ])('syn %s', async (line, asValue, asText) => {
    await using service = await startService(json({}))
    const { code, out, err } = await runSyn(line.split(' '), { env: service.env })
    expect({ code, out, requests: service.asked.length }).toEqual({ code: 2, out: '', requests: 0 })
    expect(err).toMatch(/^syn: --?\S+ \w+ is ambiguous: write a value after =, and text after --\n/)
    expect(err).toContain(`\nhint: use ${asValue}, or ${asText}\n`)
  })

  const file = join(emptyFolder(), 'notes.txt')
  writeFileSync(file, 'notes')
  test.each<[argv: string[], stdin: string | undefined]>([
    [['chat', '--stream', 'false'], 'hi'],
    [['chat', '--stream', 'false', '--stdin'], 'hi'],
    [['chat', '-f', file, '--stream', 'false'], undefined],
    [['chat', '--stream', 'false', '-i', file], undefined],
    [['chat', '--messages', '[{"role":"user","content":"hi"}]', '--json', 'true'], undefined],
    [['messages', '--body', '{}', '--json', 'true'], undefined],
    [['complete', '--echo', 'true'], 'hi'],
    [['embed', '-f', file, '--usage', 'false'], undefined],
    [['embed', '--input', 'hi', '--usage', 'false'], undefined],
    [['count-tokens', '--json', 'true'], 'hi'],
  ])('as the only word beside other input: %j < %j', async (argv, stdin) => {
    await using service = await startService(json({}))
    const { code, out, err } = await runSyn(argv, { env: service.env, ...(stdin !== undefined && { stdin }) })
    expect({ code, out, requests: service.asked.length }, err).toEqual({ code: 2, out: '', requests: 0 })
    expect(err).toContain(' is ambiguous: write a value after =, and text after --\n')
  })

  test.each([
    [['chat', '--no-stdin', '--stream', 'false'], 'hi', '"content": "false"'],
    [['chat', '--stream', '--', 'false'], 'hi', '"content": "false\\n\\nhi"'],
    [['search', '--json', 'true'], 'hi', '"query": "true"'],
  ])('is text where it is the only input, or after --: %j', async ([command = '', ...argv], stdin, shown) => {
    const { code, out, err } = await runSyn([command, '--dry-run', '-q', ...argv], { stdin })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(shown)
  })

  test.each([
    [['--json', 'true'], 'true'],
    [['--stream', 'false', '-q'], 'false'],
    [['--logprobs', '5'], '5'],
    [['--stream', '--', 'false', 'hi'], 'false hi'],
    [['--stream', 'falsehood', 'hi'], 'falsehood hi'],
    [['--stream', '5', 'hi'], '5 hi'],
    [['true', 'or', 'false'], 'true or false'],
    [['-q', '-m', 'hf:a/b', 'true', 'hi'], 'true hi'],
    [['--system=--json', 'true', 'hi'], undefined],
  ])('%j is a prompt', async (argv, prompt) => {
    if (prompt === undefined) return expect((await sentBy(argv)).messages).toHaveLength(2)
    const { messages } = await sentBy(argv)
    expect(messages).toEqual([{ role: 'user', content: prompt }])
  })

  test('help is printed all the same', async () => {
    expect(await runSyn(['chat', '--json', 'true', 'hi', '--help'])).toMatchObject({ code: 0, err: '' })
  })
})
