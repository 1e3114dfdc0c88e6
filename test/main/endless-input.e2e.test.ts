/** Input without an end: the run ends at once, and within the memory that a small machine has. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measured, splitPeak } from '../helpers/large.ts'
import { quoted, shell } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { share } from '../helpers/samples.ts'

const pipe = join(emptyFolder(), 'pipe')
execFileSync('mkfifo', [pipe])

/** Every other one differs from those before only in who writes, or in the option. */
const endless: [line: string, where: string][] = [
  ['yes | syn chat x', 'standard input'],
  ['yes | syn chat', 'standard input'],
  ['syn chat x -f /dev/zero', '--file /dev/zero'],
  ['head -c 3G /dev/zero | syn chat x', 'standard input'],
  ['syn chat x < /dev/zero -f -', 'standard input'],
  ['cat /dev/zero | syn chat x', 'standard input'],
  ['syn chat x --schema /dev/zero', '--schema /dev/zero'],
  ['syn chat x --image /dev/zero', '--image /dev/zero'],
  [`yes > ${quoted(pipe)} & syn chat x -f ${quoted(pipe)}`, `--file ${pipe}`],
]

test.each(share(endless, 0, 2))('%s', async (line, where) => {
  const { code, out, err: whole } = await shell(line, measured())
  const { err, peak } = splitPeak(whole.replace(/^.*yes: .*\n/m, ''))
  expect({ code, out, err }).toEqual({
    code: 2,
    out: '',
    err: `syn: ${where}: exceeds the limit of 64 MiB of input per request\n`,
  })
  expect(peak).toBeLessThan(500)
})
