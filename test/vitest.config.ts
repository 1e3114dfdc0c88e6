/**
 * The tests are in tiers, by the suffix of the file name:
 *
 * - `*.test.ts` starts no program, no shell and no terminal, and does not wait: `npm run test:unit`, on every system.
 * - `*.fuzz.test.ts` tries random input: a little in `npm test`, far more in `npm run test:long`.
 * - `*.e2e.test.ts` starts the built program, a terminal or a shell, needs what only Unix has, or waits for real time:
 *   `npm test`, and `npm run test:long` on other versions of Node.
 * - `*.long.test.ts` takes its time: only `npm run test:long`.
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
      // The search for the API key and the removal of all files are part of it: vitest would end them after 10 seconds.
      teardownTimeout: 300_000,
      // Most of the time is spent waiting for programs and servers, so one worker more than vitest's default is faster.
      maxWorkers: availableParallelism(),
      projects,
    },
  })
}

const setupFiles = 'test/helpers/no-programs.ts'

export default configOf(
  tier('unit', ['test/**/*.test.ts'], { exclude: [fuzz, e2e, long], setupFiles }),
  tier('fuzz', [fuzz], { setupFiles }),
  tier('e2e', [e2e]),
)
