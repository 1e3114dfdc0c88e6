/** What `npm run test:unit` runs: see `vitest.config.ts`. */

import { configOf, e2e, fuzz, long, nightly, tier } from './vitest.config.ts'

export default configOf(tier('unit', ['test/**/*.test.ts'], { exclude: [fuzz, e2e, long, nightly] }))
