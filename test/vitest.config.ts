/**
 * The tests are in tiers, by the suffix of the file name:
 *
 * - `*.test.ts` starts no program, no shell and no terminal, and does not wait: `npm run test:unit`, on every system.
 * - `*.fuzz.test.ts` tries random input: a little in `npm test`, more in `npm run test:long`. The cases are the same in each
 *   run; `npm run fuzz` looks for new ones.
 * - `*.e2e.test.ts` starts the built program, a terminal or a shell, needs what only Unix has, or waits for real time:
 *   `npm test`, and of what depends on Node `npm run test:long` on another version, listed in `vitest.long.config.ts`.
 * - `*.long.test.ts` kills at random moments, waits long, or tries all of what `npm test` tries a part of: only
 *   `npm run test:long`. Each promise has a test in `npm test`, too.
 * - `*.nightly.test.ts` measures memory or time, or types, drags and resizes at random while an answer arrives, so that its
 *   verdict may depend on the machine: only `npm run test:nightly`, which is no condition for a change.
 */

import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

type Tier = NonNullable<TestProjectInlineConfiguration['test']>

export const [e2e, long, nightly, fuzz] = ['e2e', 'long', 'nightly', 'fuzz'].map(
  (tier) => `test/**/*.${tier}.test.ts`,
) as [string, string, string, string]

export function tier(name: string, include: string[], others: Tier = {}): TestProjectInlineConfiguration {
  const test: Tier = {
    name,
    include,
    setupFiles: 'test/helpers/each-file.ts',
    // Tests wait for events, so these limits only end a test that hangs, even on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000, interval: 10 } },
    // Nothing in src/ has state between runs, so test files can share loaded modules, which saves a third of the work.
    isolate: false,
    // main.ts sets these, too. V8 takes longer to optimize WebAssembly, as undici's parser, than it runs here. Most code runs a
    // few times, and optimized later, it costs a tenth less; the threads that collect garbage would wait for other workers'.
    execArgv: ['--liftoff-only', '--interrupt-budget=1000000', '--single-threaded-gc'],
    ...others,
  }
  return { test }
}

/**
 * The tests that start programs come first: Node forks its process for each, which takes 8 ms for each 100 MB of memory, and
 * the worker has far more of it after tests of large texts.
 */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const startsPrograms = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith('.e2e.test.ts')
    return [...sorted.filter(startsPrograms), ...sorted.filter((file) => !startsPrograms(file))]
  }
}

export function configOf(...projects: TestProjectInlineConfiguration[]): ViteUserConfig {
  return defineConfig({
    root: fileURLToPath(new URL('..', import.meta.url)),
    test: {
      globalSetup: 'test/helpers/global-setup.ts',
      // The search for the API key and the removal of all files are part of it: vitest would end them after 10 seconds.
      teardownTimeout: 300_000,
      // One more than cores, as tests also wait: a sixth less time, though each worker loads all modules, 8 % more CPU time.
      maxWorkers: availableParallelism() + 2,
      sequence: { sequencer: ProgramsFirst },
      // For tests that wait at the same time.
      maxConcurrency: 10,
      projects,
    },
  })
}

// One project, as each would transform and load all modules again, in workers of its own.
export default configOf(tier('test', ['test/**/*.test.ts'], { exclude: [long, nightly] }))
