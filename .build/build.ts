/** Bundles src/ and its packages into dist/, with chunks that are loaded on demand. */

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { thirdPartyNotice } from './third-party.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const notice = 'dist/THIRD-PARTY.txt'

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  // For the tests. The bundle does not refer to them, as they are not published.
  sourcemap: 'external',
  // Keeps the names of the sources in stack traces.
  minify: false,
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  // Bundled CommonJS modules load Node's own through `require`, which ES modules don't have.
  banner: {
    js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`,
  },
  metafile: true,
  logLevel: 'warning',
})
writeFileSync(join(root, notice), thirdPartyNotice(root, Object.keys(metafile.inputs)))
removeStale(new Set([...Object.keys(metafile.outputs), notice]))

/** Removes only what this build did not write, so that dist/ is complete at all times. */
function removeStale(written: ReadonlySet<string>): void {
  for (const entry of readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !written.has(relative(root, path))) rmSync(path)
  }
}
