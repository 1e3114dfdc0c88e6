/** Documents in the working directory. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, quoted, shell } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

test.each(['[a'])('an error in a file named %s names it as typed', async (name) => {
  const folder = emptyFolder()
  writeFileSync(join(folder, name), '[')
  const { code, out, err } = await shell(
    `cd ${quoted(folder)} && syn chat --dry-run --body '@${name}' hi`,
    environment(),
  )
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(`syn: --body @${name}: not valid JSON at `)
})
