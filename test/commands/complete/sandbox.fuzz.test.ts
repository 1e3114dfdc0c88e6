/** `syn complete` against the sandbox, which implements the specification independently. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenId, tokenize } from '../../../src/sandbox/tokens.ts'
import { runSyn, type RunOptions } from '../../helpers/run-syn.ts'
import { samples } from '../../helpers/samples.ts'

interface TextCompletion {
  choices: { index: number; text: string; logprobs: { tokens: string[] } | null; finish_reason: string }[]
  usage: object
}

/** The output of a successful run. */
async function printed(argv: string[], options?: RunOptions): Promise<string> {
  const { code, out, err } = await runSyn(['complete', '--sandbox', '-q', ...argv], options)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

async function answered(argv: string[]): Promise<TextCompletion> {
  return JSON.parse(await printed(['--json', ...argv])) as TextCompletion
}

test('continues a text', async () => {
  expect(await printed(['Once upon a time'])).toMatch(/^ and .+“Once upon a time”/)
})

test('continues a piped text on its last line, without the final newline', async () => {
  const stdin = 'Once upon a time\n'
  expect(await printed(['--echo'], { stdin })).toMatch(/^Once upon a time and /)
})

test('several prompts with several completions each are shown under their headings', async () => {
  const argv = ['--no-color', '--max-tokens', '5', '--n', '2', '--echo', '--prompt', 'Two fish', 'One fish']
  const out = await printed(argv, { isTerminal: true })
  const headings = /^Prompt \d, completion \d\n\w+ fish/gm
  expect(out.match(headings)).toEqual([
    'Prompt 1, completion 1\nOne fish',
    'Prompt 1, completion 2\nOne fish',
    'Prompt 2, completion 1\nTwo fish',
    'Prompt 2, completion 2\nTwo fish',
  ])
})

test('token ids are continued like the text they encode', async () => {
  const [one, two] = ['Once upon', 'Twice'].map((text) => tokenize(text).map(tokenId))
  expect(await printed(['--echo', '--prompt-tokens', JSON.stringify(one)])).toBe(await printed(['--echo', 'Once upon']))
  expect(await printed(['--prompt-tokens', JSON.stringify([one, two])])).toBe(
    await printed(['--prompt', 'Once upon', '--prompt', 'Twice']),
  )
})

test('--stop and --max-tokens end it', async () => {
  const whole = await printed(['Once'])
  expect(await printed(['--stop', '.', 'Once'])).toBe(`${whole.split('.')[0]}\n`)
  expect((await answered(['--max-tokens', '2', 'Once'])).choices[0]).toMatchObject({ finish_reason: 'length' })
})

describe('a stream adds up to the unstreamed answer', () => {
  const flags = fc.record({
    prompts: fc.array(fc.constantFrom('One fish', 'Two', ' ', 'é 日本'), { minLength: 1, maxLength: 3 }),
    n: fc.integer({ min: 1, max: 3 }),
    echo: fc.boolean(),
    logprobs: fc.option(fc.integer({ min: 0, max: 3 })),
    maxTokens: fc.integer({ min: 1, max: 6 }),
    options: fc.constantFrom('{}', '{"include_usage":true}'),
  })

  test('with any options', async () => {
    await fc.assert(
      fc.asyncProperty(flags, async ({ prompts, n, echo, logprobs, maxTokens, options }) => {
        const argv = [
          ...prompts.flatMap((prompt) => ['--prompt', prompt]),
          `--n=${n}`,
          `--max-tokens=${maxTokens}`,
          `--stream-options=${options}`,
          ...(echo ? ['--echo'] : []),
          ...(logprobs === null ? [] : [`--logprobs=${logprobs}`]),
        ]
        const streamed = await answered(argv)
        const whole = await answered([...argv, '--no-stream'])
        expect(streamed).toMatchObject({ choices: whole.choices, usage: whole.usage })
        expect(whole.choices.map(({ index }) => index)).toEqual(whole.choices.map((_, at) => at))
        expect(whole.choices).toHaveLength(prompts.length * n)
        if (logprobs === null) return
        for (const choice of whole.choices) expect(choice.logprobs?.tokens.join('')).toBe(choice.text)
      }),
      samples(4),
    )
  })
})

test.each<[argv: string[], code: number, message: string]>([
  [['-m', 'hf:nobody/nothing', 'Once'], 4, 'does not exist or was rotated out'],
  [['-m', 'hf:nobody/nothing', '--fallback', 'Once'], 0, 'using syn:large:text instead of hf:nobody/nothing'],
  [['-p', 'prompt=[]', 'Once'], 0, ''],
  [['-p', 'prompt=7'], 1, '$.prompt: 7 is not accepted'],
  [['--n', '200', 'Once'], 1, 'the sandbox returns at most 128 choices'],
])('%j ends with %i', async (argv, code, message) => {
  const outcome = await runSyn(['complete', '--sandbox', ...argv])
  expect(outcome.code).toBe(code)
  expect(outcome.err).toContain(message)
})
