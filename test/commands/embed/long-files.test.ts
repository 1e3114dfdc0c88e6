/** A file is read twice: all of it is checked before the first request, unlike a pipe that is as long. */

import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embed, linesOf, refusalOf, wellBehaved, type EmbedOptions } from '../../helpers/embed.ts'
import { mebibyte } from '../../helpers/large.ts'
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
