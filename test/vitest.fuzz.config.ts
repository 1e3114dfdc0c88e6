/**
 * What `npm run fuzz` runs: each property for 20 seconds, or SYN_FUZZ_SECONDS, with a seed that no run had before. A failure
 * prints the smallest case found, and the seed; the case becomes one of the `examples` of its property.
 */

import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configOf, tier } from './vitest.config.ts'

process.env.SYN_FUZZ_SECONDS ??= '20'
process.env.SYN_TEST_SEED ??= String(randomInt(2 ** 31))

const folder = fileURLToPath(new URL('.', import.meta.url))
const withProperties = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.test.ts') && readFileSync(join(folder, path), 'utf8').includes('fc.assert('),
)

export default configOf(
  tier(
    'fuzz',
    withProperties.map((path) => `test/${path}`),
    // All that is tried of other tests in these files, too.
    { testTimeout: 3_600_000, env: { SYN_TEST_EFFORT: '4' } },
  ),
)
