/** Programs of the tests, made to start as fast as the built one: in half a second less than by way of tsx. */

import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { emptyFolder } from './run-syn.ts'

/** @returns the path of a program that any Node can run. */
export function bundled(source: string): string {
  const outfile = join(emptyFolder(), 'program.mjs')
  const banner = { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` }
  buildSync({
    entryPoints: [source],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    banner,
    logLevel: 'error',
  })
  return outfile
}
