/** npx takes a second, and starts what the global installation in `package.e2e.test.ts` starts, too. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pack } from '../.build/npm.ts'
import { runNpm } from './helpers/program.ts'
import { emptyFolder } from './helpers/run-syn.ts'

test('npx runs the packed file', async () => {
  const home = emptyFolder()
  const { filename } = pack('--offline', '--pack-destination', home)
  const { out } = await runNpm('npx', ['--yes', '--offline', `file:${join(home, filename)}`, '--version'], home)
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/)
})
