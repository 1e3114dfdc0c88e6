import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/helpers/global-setup.ts',
    // Waits end when what they wait for happens: these only end a test that hangs, on a busy machine too.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    // Most of the time is spent waiting for programs and servers: one worker more than vitest's choice pays off.
    maxWorkers: '100%',
    // Nothing in src/ keeps anything between two runs, so files may share what they load: a third of the work otherwise.
    isolate: false,
  },
})
