import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    // Most of the time is spent waiting for programs and servers: one worker more than vitest's choice pays off.
    maxWorkers: '100%',
    // Nothing in src/ keeps anything between two runs, so files may share what they load: a third of the work otherwise.
    isolate: false,
  },
})
