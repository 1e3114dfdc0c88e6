import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/helpers/global-setup.ts',
    // Tests wait for events, so these limits only end a test that hangs, even on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    // Most of the time is spent waiting for programs and servers, so one worker more than vitest's default is faster.
    maxWorkers: '100%',
    // Nothing in src/ has state between runs, so test files can share loaded modules, which saves a third of the work.
    isolate: false,
  },
})
