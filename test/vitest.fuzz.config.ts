/** What `npm run fuzz` runs: 100,000 random cases. The case that makes a test fail is kept in `fixtures/failed-cases/`. */

import { configOf, fuzz, tier } from './vitest.config.ts'

const env = { SYN_TEST_EFFORT: '40', SYN_TEST_KEEP_FAILED: 'yes' }

export default configOf(tier('fuzz', [fuzz], { testTimeout: 3_600_000, env }))
