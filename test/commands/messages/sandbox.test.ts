/** `syn messages` against the stand-in: both are held against the same specification. */

import { describe, expect, test } from 'vitest'
import { runSyn } from '../../helpers/run-syn.ts'

const tools = '@test/fixtures/messages-tools.json'

interface Message {
  content: { type: string; [key: string]: unknown }[]
  stop_reason: string
  usage: object
}

async function whole(...argv: string[]): Promise<Message> {
  const { code, out } = await runSyn(['messages', '--sandbox', '--json', '--quiet', ...argv])
  expect(code).toBe(0)
  return JSON.parse(out) as Message
}

test.each([
  [['Say hello in two languages']],
  [['-m', 'syn:small:text', '-s', 'Be kind.', '-s', 'Be brief.', 'Name a boat']],
  [['--tools', tools, '--tool-choice', 'tool:weather', 'Weather in Oslo?']],
  [['--tools', tools, '--tool-choice', 'any', '--max-tokens', '60', 'What time is it?']],
  [['--max-tokens', '5', 'Say hello']],
  [['--stop-sequences', 'hello', '-m', 'syn:small:text', 'Say hello']],
])('streamed and unstreamed the message is the same: %j', async (argv) => {
  const [streamed, unstreamed] = [await whole(...argv), await whole('--no-stream', ...argv)]
  const anyId = (message: object): unknown => JSON.parse(JSON.stringify(message).replaceAll(/(msg|toolu)_\w+/g, '$1'))
  expect(anyId(streamed)).toEqual(anyId(unstreamed))
})

test('prints the text blocks', async () => {
  const { content } = await whole('Say hello in two languages')
  const { out } = await runSyn(['messages', '--sandbox', 'Say hello in two languages'])
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => text as string)
  expect(out).toBe(`${texts.join('\n\n')}\n`)
})

test('a tool is used, and its result answered', async () => {
  const question = { role: 'user', content: 'Weather in Lisbon?' }
  const asked = await whole('-m', 'syn:small:text', '--tools', tools, 'Weather in Lisbon?')
  const used = asked.content.find(({ type }) => type === 'tool_use')
  expect({ reason: asked.stop_reason, used }).toMatchObject({
    reason: 'tool_use',
    used: { name: 'weather', input: { city: 'Lisbon' } },
  })
  const result = { type: 'tool_result', tool_use_id: used?.id, content: 'Sunny' }
  const conversation = [question, { role: 'assistant', content: asked.content }, { role: 'user', content: [result] }]
  const { code, out } = await runSyn(['messages', '--sandbox', '--tools', tools, '--messages', '-'], {
    stdin: JSON.stringify(conversation),
  })
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/weather.*Sunny/s) as string })
})

describe('a failure has the exit status of its kind', () => {
  test.each<[title: string, argv: string[], code: number, message: RegExp]>([
    [
      'a model that was rotated out',
      ['-m', 'hf:sandbox/Aurora-1-180B'],
      4,
      /rotated out.*\(404 Not Found\)\nhint: .*-m syn:large:text/,
    ],
    [
      'an image for a blind model',
      ['-m', 'syn:small:text', '-i', 'https://a.example/1.png'],
      1,
      /does not accept images/,
    ],
    ['a tool that is not there', ['--tools', tools, '--tool-choice', 'tool:map'], 1, /no such tool: "map"/],
  ])('%s', async (_title, argv, code, message) => {
    const outcome = await runSyn(['messages', '--sandbox', ...argv, 'hi'])
    expect(outcome).toMatchObject({ code, out: '', err: expect.stringMatching(message) as string })
  })

  test('--fallback uses the alias instead', async () => {
    const { code, err } = await runSyn(['messages', '--sandbox', '--fallback', '-m', 'hf:sandbox/Aurora-1-180B', 'hi'])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('using syn:large:text instead') as string })
  })
})
