import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { merge, runEach } from '../helpers/batch-merge.ts'
import { runBatch } from '../helpers/batch-run.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'

test('results of any parts of the input become those of one run', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd e', '{"é":1}'), fc.nat(2)), { minLength: 1, maxLength: 12 }),
      async (parts) => {
        const folder = emptyFolder()
        const lines = parts.map(([line]) => line)
        const shards = [0, 1, 2].map((shard) => parts.filter(([, at]) => at === shard).map(([line]) => line))
        const paths = await runEach(folder, shards)
        await runBatch(join(folder, 'whole.jsonl'), lines)
        const { out, rows, unknown } = await merge(lines, paths)
        expect(out).toBe(readFileSync(join(folder, 'whole.jsonl'), 'utf8'))
        expect({ rows, unknown }).toEqual({ rows: lines.length, unknown: 0 })
      },
    ),
    samples(6),
  )
})
