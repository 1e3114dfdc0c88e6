/** `syn complete` against the sandbox, which implements the specification independently: streamed or not, the answer is one. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runSyn } from '../../helpers/run-syn.ts'
import { samples } from '../../helpers/samples.ts'

interface TextCompletion {
  choices: { index: number; text: string; logprobs: { tokens: string[] } | null; finish_reason: string }[]
  usage: object
}

async function answered(argv: string[]): Promise<TextCompletion> {
  const { code, out, err } = await runSyn(['complete', '--sandbox', '-q', '--json', ...argv])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as TextCompletion
}

const flags = fc.record({
  prompts: fc.array(fc.constantFrom('One fish', 'Two', ' ', 'é 日本'), { minLength: 1, maxLength: 3 }),
  n: fc.integer({ min: 1, max: 3 }),
  echo: fc.boolean(),
  logprobs: fc.option(fc.integer({ min: 0, max: 3 })),
  maxTokens: fc.integer({ min: 1, max: 6 }),
  options: fc.constantFrom('{}', '{"include_usage":true}'),
})

test('a stream adds up to the unstreamed answer, with any options', async () => {
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
