/** Token IDs instead of a text. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AskingOptions } from '../../helpers/asking.ts'
import { promptSentBy, refusalOf } from '../../helpers/complete.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const file = join(emptyFolder(), 'tokens.json')
writeFileSync(file, '[[1, 2], [3]]\n')

test.each<[argv: string[], options: AskingOptions, prompt: unknown]>([
  [['--prompt-tokens', '[1,2]'], {}, [1, 2]],
  [['--prompt-tokens', '[[1,2],[3]]'], {}, [[1, 2], [3]]],
  [['--prompt-tokens', `@${file}`], {}, [[1, 2], [3]]],
  [['--prompt-tokens', '@-'], { stdin: '[4]' }, [4]],
  // With token IDs, a pipe is not read.
  [['--prompt-tokens', '[1]'], { stdin: 'must not be read' }, [1]],
])('%j with %j', async (argv, options, prompt) => {
  expect(await promptSentBy(argv, options)).toEqual(prompt)
})

describe('is refused', () => {
  const both = (other: string): string => `--prompt-tokens and ${other} cannot be combined`
  const id = 'expected a token id: a whole number, at least 0'
  test.each<[tokens: string, words: string[], refusal: string]>([
    ['[1]', ['Once'], both('PROMPT')],
    ['[1,-2]', [], `--prompt-tokens: $[1]: -2 is not accepted; ${id}`],
    ['["1"]', [], `--prompt-tokens: $[0]: "1" is not accepted; ${id}`],
    [
      '[12345678901234567890]',
      [],
      '--prompt-tokens: 12345678901234567890 at line 1, column 2 is not accepted; expected a whole number of at most 9007199254740991',
    ],
    ['[[1],2]', [], '--prompt-tokens: $[1]: 2 is not accepted; expected an array'],
    ['[[1],[]]', [], '--prompt-tokens: $[1]: [] is not accepted; expected at least one token id'],
  ])('%s with %j', async (tokens, words, refusal) => {
    expect(await refusalOf(['--prompt-tokens', tokens, ...words], { stdin: 'text' })).toBe(refusal)
  })

  test('invalid JSON', async () => {
    expect(await refusalOf(['--prompt-tokens', '[1,,2]'])).toMatch(
      /^--prompt-tokens: not valid JSON at line 1, column 4/,
    )
    expect(await refusalOf(['--prompt-tokens', '1,2'])).toBe('--prompt-tokens: "1,2" is neither JSON nor a file')
  })
})
