/** What `npm run test:long` runs: see `vitest.config.ts`. */

import { canFetchNode, nodeProjects } from './helpers/node-versions.ts'
import { configOf, e2e, fuzz, long, tier } from './vitest.config.ts'

export default configOf(
  tier('long', [long, fuzz], { testTimeout: 600_000, env: { SYN_TEST_EFFORT: '2' } }),
  ...nodeProjects.map((name, at) =>
    tier(name, canFetchNode ? [e2e] : [], { env: { SYN_TEST_EFFORT: at === 0 ? '2' : '1' } }),
  ),
)
