/** Stores four profiles: file.e2e.test.ts runs two such processes at the same time. */

import { runSyn } from '../helpers/run-syn.ts'

const [home = '', prefix = ''] = process.argv.slice(2)

async function setMany(): Promise<void> {
  for (let index = 0; index < 4; index++) {
    const argv = ['config', 'set', 'retries', String(index), '--profile', `${prefix}${index}`]
    const { code, err } = await runSyn(argv, { env: { HOME: home } })
    if (code !== 0) throw new Error(err)
  }
}

await setMany()
