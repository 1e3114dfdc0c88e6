/** A run of the tests leaves nothing in the temporary folder, whether it ends or is interrupted. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
// One makes folders, the other programs that have them.
const files = ['test/io/cache.test.ts', 'test/main/saving.e2e.test.ts']

test.each<[how: string, signal?: NodeJS.Signals]>([['ends'], ['is interrupted', 'SIGINT']])(
  'a run that %s',
  async (_how, signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'run-'))
    const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/vitest.config.ts', ...files], {
      env: { ...process.env, TMPDIR: folder },
      stdio: 'ignore',
      // In a group of its own, which is signaled as a terminal does: the program and all that it started.
      detached: true,
    })
    const ended = once(child, 'exit')
    if (signal) {
      const inside = (): string[] => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)))
      await expect.poll(inside).not.toEqual([])
      process.kill(-(child.pid ?? 0), signal)
    }
    await ended
    await expect.poll(() => readdirSync(folder)).toEqual([])
  },
)
