/** What `npm run test:nightly` runs: see `vitest.config.ts`. */

import { nodes } from './helpers/node-versions.ts'
import { configOf, nightly, tier } from './vitest.config.ts'
import { nodeTier, waiting } from './vitest.long.config.ts'

export default waiting(
  configOf(
    tier('nightly', [nightly], { testTimeout: 600_000, env: { SYN_TEST_EFFORT: '4' } }),
    ...nodes.others.map((name, at) => nodeTier(name, at === 0)),
  ),
)
