/**
 * Runs before each test file. Gives all properties the seed of the run, since fast-check would draw one, and makes unit tests
 * fail that start a program: tests with a program, a shell or a terminal are `*.e2e.test.ts`.
 */

import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { seed } from './seed.ts'

fc.configureGlobal({ seed })

const names = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const

// All files of a worker share its modules, one file after the other.
const originals = Object.fromEntries(names.map((name) => [name, childProcess[name]]))

if (!/\.(e2e|long|nightly)\.test\.ts$/.test(expect.getState().testPath ?? '')) {
  for (const name of names) {
    Object.assign(childProcess, {
      [name]: () => {
        throw new Error(`unit tests start no program: ${name}() belongs in an e2e test`)
      },
    })
  }
  syncBuiltinESMExports()
}

afterAll(() => {
  Object.assign(childProcess, originals)
  syncBuiltinESMExports()
})
