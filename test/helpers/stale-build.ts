/** Tests of the built program say so at once if dist/ is not what the sources give. */

import type { Vitest } from 'vitest/node'
import { isBuilt } from '../../.build/sources.ts'

/** Ends the run if a test of the built program is part of it, and dist/ is not built from the sources. */
export function refuseStaleBuild({ state }: Vitest): void {
  const isNeeded = state.getPaths().some((path) => /\.(e2e|long|nightly)\.test\.ts$/.test(path))
  if (!isNeeded || isBuilt()) return
  process.stderr.write('dist/ is not built from these sources: run npm run build\n')
  process.exit(1)
}
