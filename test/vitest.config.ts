/**
 * The tests stand in tiers, by the ending of a file's name:
 *
 * - `*.test.ts` needs no terminal, no shell and no program: `npm run test:unit`, on every system.
 * - `*.e2e.test.ts` starts the built program, a terminal or a shell, or needs what only Unix has: `npm test` runs these too.
 * - `*.long.test.ts` takes its time: only `npm run test:long` runs these, and every `*.e2e.test.ts` on other versions of Node.
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
    // Waits end when what they wait for happens: these only end a test that hangs, on a busy machine too.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    // Nothing in src/ keeps anything between two runs, so files may share what they load: a third of the work otherwise.
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
      // Most of the time is spent waiting for programs and servers: one worker more than vitest's choice pays off.
      maxWorkers: availableParallelism(),
      projects,
    },
  })
}

export default configOf(
  tier('unit', ['test/**/*.test.ts'], { exclude: [e2e, long], setupFiles: 'test/helpers/no-programs.ts' }),
  tier('e2e', [e2e]),
)
