/** What `npm run test:long` runs: see `vitest.config.ts`. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canFetchNode, nodes, oldNodeProjects } from './helpers/node-versions.ts'
import { configOf, fuzz, long, tier } from './vitest.config.ts'

const oldNode = 'test/main/old-node.long.test.ts'

/**
 * The e2e tests that run on each other version of Node: of what Node itself does, those that show it in the program. What the
 * program decides alone, such as the text of an answer or a slash command, is the same on every version, and `npm test` tries
 * it on the oldest one.
 */
const byTheme = {
  'standard streams, pipes and exit': [
    'faults/processes',
    'main/descriptors',
    'main/endless-input',
    'main/named-pipe',
    'main/one-file',
    'main/process',
    'main/saving',
    'main/silent-input',
  ],
  signals: ['chat/leaving', 'main/first-signal', 'main/stalled-reader'],
  'sockets and TLS': ['api/preconnection', 'batch/faults'],
  'terminals and keys': [
    'chat/ends',
    'faults/narrow',
    'main/terminal',
    'settings/terminal',
    'terminal/line-editor/input-line',
    'terminal/line-editor/keys',
    'terminal/line-editor/restored',
  ],
  'start, compile cache and installation': ['main/unusual-homes', 'package', 'startup'],
  'files, locks and child processes': [
    'conversation/file-calls',
    'conversation/writers',
    'settings/file',
    'settings/key',
  ],
  'Unicode and dates': ['commands/sessions/terminal', 'terminal/hostile-text'],
} satisfies Record<string, readonly string[]>

const folder = fileURLToPath(new URL('.', import.meta.url))

const dependOnNode = Object.values(byTheme)
  .flat()
  .map((name) => `${name}.e2e.test.ts`)

const missing = dependOnNode.find((path) => !existsSync(join(folder, path)))
if (missing !== undefined)
  throw new Error(`test/${missing}, a test that depends on the version of Node, does not exist`)

/** The tests that take samples, also through the table of the shells: `npm test` tries a part of their cases. */
const sampled = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.test.ts') && /\/(samples|behavior)\.ts'/.test(readFileSync(join(folder, path), 'utf8')),
)
const sampledE2e = sampled.filter((path) => path.endsWith('.e2e.test.ts'))
/** Sampled unit tests without a long test of the same name, which tries all cases in another way. */
const sampledUnit = sampled.filter(
  (path) => /^[^.]+\.test\.ts$/.test(path) && !existsSync(join(folder, path.replace('.test.', '.long.test.'))),
)

/** A test of needs that the user of `npm test` in CI does not meet. */
const asRoot = 'settings/other-users.test.ts'

/** @param hasSamples Whether the tests of a sample are tried, too, and all with all cases. */
export function nodeTier(name: string, hasSamples: boolean): ReturnType<typeof tier> {
  const paths = [...new Set([...dependOnNode, ...(hasSamples ? sampledE2e : [])])]
  const include = canFetchNode ? paths.map((path) => `test/${path}`) : []
  return tier(name, include, { env: { SYN_TEST_EFFORT: hasSamples ? '2' : '1' } })
}

/** More than half of the time is spent waiting: for the lock of a run that was killed, for a terminal, for pauses of the typing. */
export function waiting({ test, ...others }: ReturnType<typeof configOf>): ReturnType<typeof configOf> {
  return { ...others, test: { ...test, maxWorkers: availableParallelism() + 2 } }
}

export default waiting(
  configOf(
    tier('long', [long, fuzz, ...[...sampledUnit, asRoot].map((path) => `test/${path}`)], {
      exclude: [oldNode],
      testTimeout: 600_000,
      env: { SYN_TEST_EFFORT: '4' },
    }),
    nodeTier(nodes.newest, false),
    ...oldNodeProjects.map((name) => tier(name, canFetchNode ? [oldNode] : [])),
  ),
)
