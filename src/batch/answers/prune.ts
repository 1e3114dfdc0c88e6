/** Drops records of a store: writes another one without them, which takes its place, and has what they cost. */

import { NewFile, syncName } from '../../io/files/regular-file.ts'
import { UsageTotals } from '../../answer/meter.ts'
import { type BatchFiles, temporaryPath } from './files.ts'
import { decodeLine, decodeRun, encodeLine, encodeRun, type RunRecord } from './line.ts'
import { scanLines } from './line-reader.ts'
import { addSpent } from './scan.ts'
import { type AnswerStore, storeMode } from './store.ts'

/**
 * Keeps the last run, and those of which a record is kept. Only the last has the results that are there.
 * @param isKept Called with where each record starts, in ascending order.
 * @returns the number of records that were dropped.
 * @throws FailedError
 */
export async function pruneStore(
  store: AnswerStore,
  files: BatchFiles,
  isKept: (offset: number) => boolean,
): Promise<number> {
  using pruned = new NewFile(files.answers, { mode: storeMode, path: temporaryPath(files, 'answers') })
  let dropped = 0
  let lastRun: RunRecord | undefined
  const spent = new UsageTotals()
  /** The line of a run of which nothing is kept yet; that of the first one may be damaged, and a store starts with an empty line. */
  let started = '\n'
  for await (const { lines } of scanLines(store.file)) {
    const kept: Uint8Array[] = []
    for (const { bytes, offset } of lines) {
      const head = decodeLine(bytes)?.head
      if (!head) continue
      spent.addEncoded(head.spent)
      if (head.spent) continue
      const run = decodeRun(head)
      lastRun = run ?? lastRun
      if (run) started = `\n${encodeLine(encodeRun({ ...run, damaged: 0, restart: undefined }))}`
      const isRecord = typeof head.hash === 'string'
      if (isRecord ? !isKept(offset) : offset < store.runStart) {
        if (isRecord) dropped += 1
        addSpent(spent, head, lastRun)
        continue
      }
      kept.push(Buffer.from(started), ...(run ? [] : [bytes, lineEnd]))
      started = ''
    }
    await pruned.write(Buffer.concat(kept))
  }
  if (spent.count > 0) await pruned.write(Buffer.from(encodeLine({ spent: spent.encode() })))
  await pruned.finish(true)
  store.check()
  await pruned.rename()
  syncName(files.answers)
  return dropped
}

const lineEnd = Buffer.from('\n')
