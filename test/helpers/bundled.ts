/** Programs of the tests, bundled, so that they start half a second faster than with tsx. */

import { existsSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { build } from 'rolldown'

/**
 * Bundles a program once for all test files, as that takes a second.
 * @returns the path of a program that any Node can run.
 */
export async function bundled(source: string): Promise<string> {
  const name = `${basename(source, '.ts')}.bundled.mjs`
  const file = join(tmpdir(), name)
  if (existsSync(file)) return file
  const made = join(mkdtempSync(join(tmpdir(), 'bundled-')), name)
  await build({
    input: source,
    platform: 'node',
    transform: { target: 'node20.18' },
    logLevel: 'silent',
    output: { file: made, codeSplitting: false },
  })
  renameSync(made, file)
  return file
}
