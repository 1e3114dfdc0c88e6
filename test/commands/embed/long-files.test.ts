/** A long file is read twice: all of it is checked before the first request, unlike a pipe. A record has at most 16 MiB. */

import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embed, linesOf, refusalOf, wellBehaved, type EmbedOptions } from '../../helpers/embed.ts'
import { mebibyte, repeated } from '../../helpers/large.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const lineSize = 65_536
const line = `${JSON.stringify('x'.repeat(lineSize - 3))}\n`

/** A file of lines, in MiB, with an end. */
function longFile(size: number, end = ''): string {
  const file = join(emptyFolder(), 'long.jsonl')
  writeFileSync(file, line.repeat((size * mebibyte) / lineSize) + end)
  return file
}

/** Calls a function before the first answer. */
function changing(change: () => void): NonNullable<EmbedOptions['answer']> {
  return (request) => (asked, response) => {
    if (request === 1) change()
    return wellBehaved(asked, response)
  }
}

test('a bad record at the end is refused before anything is sent', async () => {
  const file = longFile(12, '5\n')
  const refusal = `--file ${file}, line 193: 5 is not accepted; expected an object or a string`
  expect(await refusalOf(['-f', file])).toBe(refusal)
})

test('texts that are added meanwhile are left out', async () => {
  const file = longFile(2)
  const { code, out, err } = await embed(['-f', file], { answer: changing(() => appendFileSync(file, '"b"\n5\n')) })
  expect({ code, err, rows: linesOf(out).length }).toEqual({ code: 0, err: '', rows: 32 })
})

test('a file that becomes shorter is an error', async () => {
  const file = longFile(8)
  const answer = changing(() => truncateSync(file, 4 * mebibyte))
  const { code, out, err } = await embed(['-f', file], { answer })
  expect({ code, err, rows: linesOf(out).length }).toEqual({
    code: 2,
    err: `syn: --file ${file}: changed while it was read\nhint: the 63 texts before are embedded\n`,
    rows: 63,
  })
})

const long = 'x'.repeat(17 * mebibyte)

test.each<[argv: string[], stdin: string, refusal: string]>([
  [['--lines'], `a\n${long}\n`, 'standard input, line 2: line exceeds the limit of 16 MiB'],
  [
    ['--input-format', 'csv'],
    `text\na\n"${`${long.slice(0, mebibyte)}\n`.repeat(17)}"\n`,
    'standard input, line 3: row exceeds the limit of 16 MiB',
  ],
])('a record of 17 MiB: %j', async (argv, stdin, refusal) => {
  expect(await refusalOf(argv, { stdin })).toContain(refusal)
})

test('a bad record far into the input ends the run after the embeddings before it', async () => {
  function* rows(): Generator<Uint8Array> {
    // More than is read before the first request.
    yield* repeated(line, 9)
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
