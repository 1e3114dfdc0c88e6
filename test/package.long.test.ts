/** npx takes a second, and starts what the global installation in `package.e2e.test.ts` starts, too. */

import { expect, test } from 'vitest'
import { pack } from '../.build/npm.ts'
import { runIn } from './helpers/run-in.ts'
import { emptyFolder } from './helpers/run-syn.ts'

test('npx runs the packed file', async () => {
  const home = emptyFolder()
  const { filename } = pack('--offline', '--pack-destination', home)
  const { stdout } = await runIn('npx', ['--yes', '--offline', `./${filename}`, '--version'], home, home)
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
