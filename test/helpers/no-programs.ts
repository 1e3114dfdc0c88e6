/** Makes unit tests fail that start a program: tests with a program, a shell or a terminal are `*.e2e.test.ts`. */

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
