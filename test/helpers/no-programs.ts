/** Keeps the unit tests what they are: what starts a program, a shell or a terminal is an `*.e2e.test.ts`. */

import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const) {
  Object.assign(childProcess, {
    [name]: () => {
      throw new Error(`unit tests start no program: ${name}() belongs in an e2e test`)
    },
  })
}
syncBuiltinESMExports()
