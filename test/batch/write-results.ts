/** Writes results to a journal and says which; files.e2e.test.ts kills it, or limits its disk space. */

import { writeSync } from 'node:fs'
import { checkBatchFiles } from '../../src/batch/journal/files.ts'
import { createJournal } from '../../src/batch/journal/journal.ts'
import { holdLock } from '../../src/io/files/private.ts'
import { answerBody, manifestOf, requestHash } from '../helpers/batch-run.ts'

const [path = ''] = process.argv.slice(2)
const lines = Array.from({ length: 5000 }, (_, number) => String(number))

const files = await checkBatchFiles(path)
await holdLock(files.output, { onLost: (error) => process.exit(error.code) })
const journal = createJournal(files, manifestOf(lines), lines.length)
try {
  for (const [row, line] of lines.entries()) {
    const record = { line: row + 1, raw: line, value: line }
    const request = { record, hash: requestHash(line), limit: Infinity, body: { model: 'syn:large:text' } }
    const response = { status_code: 200, body: answerBody(`answer to ${line}`) }
    journal.append(row, request, { attempts: 1, response, error: null, isCutOff: false }, 8)
    writeSync(1, `${line}\n`)
  }
  // Until it is killed.
  setInterval(() => undefined, 1000)
} catch (error) {
  writeSync(2, `${String(error)}\n`)
  process.exit(1)
}
