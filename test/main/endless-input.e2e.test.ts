/** Input without an end: the run ends at once, and within the memory that a small machine has. */

import { expect, test } from 'vitest'
import { measured, splitPeak } from '../helpers/large.ts'
import { shell } from '../helpers/program.ts'

const endless: [line: string, where: string][] = [
  ['yes | syn chat x', 'standard input'],
  ['syn chat x -f /dev/zero', '--file /dev/zero'],
]

test.each(endless)('%s', async (line, where) => {
  const { code, out, err: whole } = await shell(line, measured())
  const { err, peak } = splitPeak(whole.replace(/^.*yes: .*\n/m, ''))
  expect({ code, out, err }).toEqual({
    code: 2,
    out: '',
    err: `syn: ${where}: exceeds the limit of 64 MiB of input per request\n`,
  })
  expect(peak).toBeLessThan(500)
})
