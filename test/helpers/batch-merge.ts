/** Merges results of `syn batch` in memory. */

import { join } from 'node:path'
import { checkSameSettings } from '../../src/batch/output/identity.ts'
import { mergeOutputs } from '../../src/batch/output/merge.ts'
import { outputRows, runBatch } from './batch-run.ts'

/** Merges, and reads what was written. */
export async function merge(
  lines: readonly string[],
  paths: readonly string[],
): Promise<{ rows: number; unknown: number; out: string }> {
  const out: string[] = []
  const write = (text: string | Uint8Array): Promise<void> => {
    out.push(String(text))
    return Promise.resolve()
  }
  await checkSameSettings(paths)
  const summary = await mergeOutputs(() => outputRows(lines), paths, { isTerminal: false, columns: () => 80, write })
  return { ...summary, out: out.join('') }
}

/** Runs each of these inputs. @returns the paths of the results. */
export async function runEach(folder: string, inputs: readonly (readonly string[])[], failing?: ReadonlySet<string>) {
  const paths = inputs.map((_, number) => join(folder, `out.${number}.jsonl`))
  for (const [number, lines] of inputs.entries())
    await runBatch(paths[number] ?? '', lines, { ...(failing && { failing }) })
  return paths
}
