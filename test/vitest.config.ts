/**
 * The tests are in tiers, by the suffix of the file name:
 *
 * - `*.test.ts` needs no terminal, shell or program: `npm run test:unit`, on every system.
 * - `*.e2e.test.ts` starts the built program, a terminal or a shell, or needs what only Unix has: `npm test` runs these too.
 * - `*.long.test.ts` is slow: only `npm run test:long` runs these, and every `*.e2e.test.ts` on other versions of Node.
 * - `*.fuzz.test.ts` also tries random input: a little with the unit tests, far more with the long ones.
 */

import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'

type Tier = NonNullable<TestProjectInlineConfiguration['test']>

export const [e2e, long, fuzz] = ['e2e', 'long', 'fuzz'].map((tier) => `test/**/*.${tier}.test.ts`) as [
  string,
  string,
  string,
]

export function tier(name: string, include: string[], others: Tier = {}): TestProjectInlineConfiguration {
  const test: Tier = {
    name,
    include,
    // Tests wait for events, so these limits only end a test that hangs, even on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    // Nothing in src/ has state between runs, so test files can share loaded modules, which saves a third of the work.
    isolate: false,
    ...others,
  }
  return { test }
}

export function configOf(...projects: TestProjectInlineConfiguration[]): ViteUserConfig {
  return defineConfig({
    root: fileURLToPath(new URL('..', import.meta.url)),
    test: {
      globalSetup: 'test/helpers/global-setup.ts',
      // Most of the time is spent waiting for programs and servers, so one worker more than vitest's default is faster.
      maxWorkers: availableParallelism(),
      projects,
    },
  })
}

export default configOf(
  tier('unit', ['test/**/*.test.ts'], { exclude: [e2e, long], setupFiles: 'test/helpers/no-programs.ts' }),
  tier('e2e', [e2e]),
)
