/** Gives the tests the same environment wherever they run, and a temporary folder of their own. */

import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { isBuilt } from '../../.build/sources.ts'
import { searchEverything } from './canary.ts'
import { entriesBelow } from './tree.ts'
import { fetchNodes } from '../../.build/node-packages.ts'
import { canFetchNode, nodes, oldNodeProjects } from './node-versions.ts'

/** What the tests keep of the caller's environment: CI makes a missing shell a failure, Windows has its own. */
const kept =
  /^(PATH|CI|NODE_ENV|TEST|PROD|DEV|(VITE|VITEST|NODE_V8)_.*|VITEST|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|SYN_TEST_NODE|SYN_TEST_SEED|SYN_FUZZ_SECONDS|SYN_TEST_BARE)$/i

/** Runs before the workers start, which inherit the environment. */
export default function setup({ vitest }: TestProject): () => Promise<void> {
  const needsBuild = vitest.state.getPaths().some((path) => /\.(e2e|long|nightly)\.test\.ts$/.test(path))
  if (needsBuild && !isBuilt()) {
    process.stderr.write('dist/ is not built from these sources: run npm run build\n')
    process.exit(1)
  }
  // With what a shell line or a regular expression must expect of a path.
  const folder = mkdtempSync(join(tmpdir(), "it's for syn-tests-"))
  // The key is not searched for here.
  const nodeFolder = mkdtempSync(join(tmpdir(), 'syn-nodes-'))
  const clean = (): void => {
    // Vitest leaves folders of its own behind when it is interrupted.
    const its = [vitest.getRootProject(), ...vitest.projects].map(({ tmpDir }) => tmpDir)
    for (const one of [folder, nodeFolder, ...its]) remove(one)
  }
  // Runs when the tests are interrupted, too.
  process.once('exit', clean)
  // While npm still finds the caller's settings.
  const otherNodes = new Set<string>([nodes.newest, ...nodes.others, ...oldNodeProjects])
  const onOtherNodes = vitest.projects.filter(({ name }) => otherNodes.has(name))
  const names = onOtherNodes.map(({ name }) => name)
  const paths = canFetchNode ? fetchNodes(names, nodeFolder) : []
  for (const [at, { name, config }] of onOtherNodes.entries()) {
    if (canFetchNode) config.env = { ...config.env, SYN_TEST_NODE: paths[at] }
    else process.stderr.write(`${name}: skipped, because its binary is fetched for Linux on x64 only\n`)
  }
  for (const name of Object.keys(process.env)) if (!kept.test(name)) delete process.env[name]
  const own = { HOME: folder, USERPROFILE: folder, TMPDIR: folder, TEMP: folder, TMP: folder }
  Object.assign(process.env, { ...own, TZ: 'UTC', LANG: 'C.UTF-8' })
  process.umask(0o022)
  return async () => {
    try {
      allow(folder)
      const found = await searchEverything(folder)
      await rm(folder, removal)
      if (found.length > 0) throw new Error(`the API key was found in\n${found.join('\n')}`)
    } catch (error) {
      // Vitest reports the error, and ends with status 0.
      process.exitCode = 1
      throw error
    }
  }
}

const removal = { recursive: true, force: true, maxRetries: 3 }

function remove(folder: string): void {
  if (!existsSync(folder)) return
  allow(folder)
  rmSync(folder, removal)
}

/** Some tests remove the permission to read a file, or to write to a folder. */
function allow(folder: string): void {
  chmodSync(folder, 0o700)
  for (const { path, kind } of entriesBelow(Buffer.from(folder)))
    if (kind !== 'other') chmodSync(path, kind === 'folder' ? 0o700 : 0o600)
}
