/** `syn embed --sandbox` as the built program: many texts, in pipes and loops. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linesOf } from '../../helpers/embed.ts'
import { environment, quoted, shell } from '../../helpers/program.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const count = 1500
const folder = emptyFolder()
const lines = join(folder, 'lines.txt')
writeFileSync(lines, Array.from({ length: count }, (_, number) => `line ${number}\n`).join(''))

test('a pipe is read once; that of a process substitution is not a text', async () => {
  expect(await shell('syn embed --sandbox <(echo hi)', environment())).toMatchObject({ code: 2, out: '' })
  const options = '--sandbox --dimensions 2 --with-text --no-stdin --lines'
  const { err, out } = await shell(`syn embed ${options} -f <(printf "a\\nb\\n")`, environment())
  expect({ err, texts: linesOf(out).map(({ text }) => text) }).toEqual({ err: '', texts: ['a', 'b'] })
})

test('in a while read loop, standard input is left to the loop', async () => {
  const line = `head -n 2 ${quoted(lines)} | while read -r text; do syn embed --sandbox --no-stdin --dimensions 2 "$text"; done`
  expect(linesOf((await shell(line, environment())).out)).toHaveLength(2)
})
