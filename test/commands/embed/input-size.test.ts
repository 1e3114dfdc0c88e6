/** Lines, JSON Lines and CSV of any size, in records of at most 16 MiB. */

import { describe, expect, test } from 'vitest'
import { embed, linesOf, refusalOf } from '../../helpers/embed.ts'
import { mebibyte, repeated } from '../../helpers/large.ts'

const long = 'x'.repeat(17 * mebibyte)

describe('a record of 17 MiB', () => {
  test.each<[argv: string[], stdin: string, refusal: string]>([
    [['--lines'], `a\n${long}\n`, 'standard input, line 2: line exceeds the limit of 16 MiB'],
    [
      ['--input-format', 'csv'],
      `text\na\n"${`${long.slice(0, mebibyte)}\n`.repeat(17)}"\n`,
      'standard input, line 3: row exceeds the limit of 16 MiB',
    ],
  ])('%j', async (argv, stdin, refusal) => {
    expect(await refusalOf(argv, { stdin })).toContain(refusal)
  })
})

test('a bad record far into the input ends the run after the embeddings before it', async () => {
  function* rows(): Generator<Uint8Array> {
    // More than is read before the first request.
    yield* repeated(`${JSON.stringify('x'.repeat(65_533))}\n`.slice(0, 65_536), 9)
    yield Buffer.from('5\n')
  }
  const { code, out, err } = await embed(['--input-format', 'jsonl'], { stdin: rows() })
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(
      /^syn: standard input, line \d+: 5 is not accepted; expected an object or a string\nhint: the \d+ texts before are embedded\n$/,
    ),
  })
  expect(linesOf(out).length).toBeGreaterThan(100)
})
