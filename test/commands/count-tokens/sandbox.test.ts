/** The sandbox's counts equal those in its answers' usage, and use up no quota. */

import { expect, test } from 'vitest'
import { runSyn } from '../../helpers/run-syn.ts'

const tools = '@test/fixtures/messages-tools.json'

test.each([
  [['Say hello in three languages']],
  [['-m', 'syn:small:text', '-s', 'Be kind.', '-s', 'Be brief.', 'Name a boat']],
  [['--tools', tools, 'Weather in Oslo?']],
  [['-f', 'LICENSE', 'Summarize']],
  [['-i', 'https://a.example/1.png', 'What is this?']],
])('%j', async (argv) => {
  const { code, out, err } = await runSyn(['count-tokens', '--sandbox', ...argv])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const answer = await runSyn(['messages', '--sandbox', '--no-stream', '--json', '-q', ...argv])
  const { usage } = JSON.parse(answer.out) as { usage: { input_tokens: number } }
  expect(out).toBe(`${usage.input_tokens}\n`)
})

test('a file has the same count by name and in a pipe', async () => {
  const text = 'The meeting is on Tuesday.\nBring the figures.\n'
  const piped = await runSyn(['count-tokens', '--sandbox'], { stdin: text })
  const named = await runSyn(['count-tokens', '--sandbox', '-f', '-'], { stdin: text })
  expect(named).toEqual(piped)
})

test('the context length is that of the model that the alias points to', async () => {
  const { out } = await runSyn(['count-tokens', '--sandbox', '--context', 'hi'])
  expect(out).toMatch(/^\d+\t262144\t[\d.]+\tsyn:large:text\n$/)
})
