/** The first 16 MiB of texts are checked before the first request, the others while they are sent. A record has at most 16 MiB. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embed, linesOf, refusalOf } from '../../helpers/embed.ts'
import { mebibyte } from '../../helpers/large.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const lineSize = 65_536
const line = `${JSON.stringify('x'.repeat(lineSize - 3))}\n`

/** Lines, in MiB, and a bad one. In memory, a text takes twice as much. The last one before it waits for others. */
function badEnd(size: number): string {
  return `${line.repeat((size * mebibyte) / lineSize)}5\n`
}

function fileOf(text: string): string {
  const file = join(emptyFolder(), 'long.jsonl')
  writeFileSync(file, text)
  return file
}

test('a bad record is refused before anything is sent', async () => {
  const file = fileOf(badEnd(7))
  const refusal = `--file ${file}, line 113: 5 is not accepted; expected an object or a string`
  expect(await refusalOf(['-f', file])).toBe(refusal)
})

test('a file that is missing is named before a long one is sent', async () => {
  const refusal = '--file: cannot read nowhere.jsonl: no such file'
  expect(await refusalOf(['-f', fileOf(line.repeat(160)), '-f', 'nowhere.jsonl'])).toContain(refusal)
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

test.each(['standard input', 'a file'])(
  'a bad record far into %s ends the run after those before it',
  async (source) => {
    const input = badEnd(9)
    const file = source === 'a file' ? fileOf(input) : undefined
    const { code, out, err } = await (file ? embed(['-f', file]) : embed(['--input-format', 'jsonl'], { stdin: input }))
    expect({ code, err }).toEqual({
      code: 2,
      err: `syn: ${file ? `--file ${file}` : source}, line 145: 5 is not accepted; expected an object or a string\nhint: the 143 texts before are embedded\n`,
    })
    expect(linesOf(out)).toHaveLength(143)
  },
)
