/** What `npm run test:long` runs: see `vitest.config.ts`. */

import { canFetchNode, nodeProjects, oldNodeProjects } from './helpers/node-versions.ts'
import { configOf, e2e, fuzz, long, tier } from './vitest.config.ts'

const oldNode = 'test/main/old-node.long.test.ts'

export default configOf(
  tier('long', [long, fuzz], { exclude: [oldNode], testTimeout: 600_000, env: { SYN_TEST_EFFORT: '2' } }),
  ...nodeProjects.map((name, at) =>
    tier(name, canFetchNode ? [e2e] : [], { env: { SYN_TEST_EFFORT: at === 0 ? '2' : '1' } }),
  ),
  ...oldNodeProjects.map((name) => tier(name, canFetchNode ? [oldNode] : [])),
)
