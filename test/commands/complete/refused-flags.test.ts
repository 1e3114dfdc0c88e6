/** Usage errors: exit 2 with one line, and nothing is sent. */

import { expect, test } from 'vitest'
import { refusalOf } from '../../helpers/complete.ts'

const wholeFromZero = 'a whole number, at least 0'

test.each([
  ['--top-p', '-0.1', '-0.1', 'a number from 0 to 1'],
  ['--max-completion-tokens', '1.5', '1.5', wholeFromZero],
  ['--logprobs', 'true', '"true"', 'a number'],
  ['--logit-bias', '[1]', '[1]', 'an object'],
])('%s %s', async (flag, value, found, expected) => {
  expect(await refusalOf([flag, value, 'Once'])).toBe(`${flag}: ${found} is not accepted; expected ${expected}`)
})

test.each<[words: string[], refusal: string]>([
  [['--logit-bias', '{"7":101}'], '--logit-bias: $["7"]: 101 is not accepted; expected a number from -100 to 100'],
  [['--echo=yes'], '--echo: "yes" is not accepted; expected true or false'],
  [['--no-logprobs'], 'unknown option --no-logprobs (did you mean --logprobs?)'],
  [['--json', '--jsonl'], '--jsonl and --json cannot be combined'],
])('%j', async (words, refusal) => {
  expect(await refusalOf([...words, 'Once'])).toBe(refusal)
})

test.each<[body: string, refusal: string]>([
  ['{"prompt":1}', '--body (standard input): $.prompt: 1 is not accepted; expected a string or an array'],
  ['{"prompt":["a",1]}', '--body (standard input): $.prompt[1]: 1 is not accepted; expected a string'],
  ['{"prompt":[[1],[null]]}', '--body (standard input): $.prompt[1][0]: null is not accepted; expected a number'],
  ['{"logprobs":true}', '--body (standard input): $.logprobs: true is not accepted; expected a number'],
])('--body with %s', async (stdin, refusal) => {
  expect(await refusalOf(['--body', '-', 'Once'], { stdin })).toBe(refusal)
})
