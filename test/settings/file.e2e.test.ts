/** The config file between processes. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { environment, node } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { storedIn } from './stored.ts'
import { bundled } from '../helpers/bundled.ts'

test('changes made at the same time in two processes lose nothing', async () => {
  const home = emptyFolder()
  const script = await bundled(fileURLToPath(new URL('set-many.ts', import.meta.url)))
  const started = ['left', 'right'].map((profile) =>
    spawn(node, [script, home, profile], {
      env: environment(),
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
  for (const [status] of await Promise.all(started.map((child) => once(child, 'close')))) expect(status).toBe(0)
  const expected = ['left', 'right'].flatMap((name) =>
    Array.from({ length: 4 }, (_, index) => [`${name}${index}`, { retries: index }]),
  )
  expect(storedIn(home).profiles).toEqual(Object.fromEntries(expected))
})
