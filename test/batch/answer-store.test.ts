/** A store that another run writes: this one lost its lock while it was suspended. */

import { appendFileSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkBatchFiles, stateOfFiles, temporaryPath } from '../../src/batch/answers/files.ts'
import { RowAnswers } from '../../src/batch/answers/rows.ts'
import type { RunRecord } from '../../src/batch/answers/line.ts'
import { AnswerStore } from '../../src/batch/answers/store.ts'
import { writeOutput } from '../../src/batch/output/output.ts'
import { rowRequest } from '../helpers/batch.ts'
import { testNow } from '../helpers/clock.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

/** What the other run does. */
const others: [string, (path: string) => void][] = [
  ['continues it', (path) => appendFileSync(path, '\n{"sum":"')],
  [
    'replaces it, with as many bytes',
    (path) => {
      const text = readFileSync(path)
      unlinkSync(path)
      writeFileSync(path, text)
    },
  ],
  ['removes it', (path) => unlinkSync(path)],
]

test.each(others)(
  'when another run %s, nothing more is written, and the results take no name',
  async (_what, other) => {
    const folder = emptyFolder()
    const files = await checkBatchFiles(join(folder, 'out.jsonl'))
    const contents = (): string[][] =>
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
    await using store = new AnswerStore(files.answers)
    const model = { requested: 'syn:large:text', stands_for: 'hf:large' }
    store.begin({ settings: {}, model, rows: 1, jobs: 1 } as unknown as RunRecord, 0)
    const append = (): number =>
      store.append(
        0,
        rowRequest(1),
        { attempts: 1, response: { status_code: 200, body: {} }, error: null, isCutOff: false },
        1,
      )
    append()
    async function* rows(): AsyncGenerator<[], void, undefined> {
      yield await Promise.resolve([])
      // The run writes its results, too.
      unlinkSync(temporaryPath(files, 'output'))
      writeFileSync(temporaryPath(files, 'output'), 'of the other run')
      other(files.answers)
    }
    const output = writeOutput(files, store, new RowAnswers(false), rows(), {
      format: { type: 'jsonl' },
      input: {},
      allowsCut: false,
      schema: undefined,
      former: undefined,
      before: stateOfFiles(files),
      onWritten: ({ digest }) => store.add({ output: digest }),
    })
    const message = `cannot write ${files.answers}: another run writes it`
    await expect(output).rejects.toThrow(message)
    const before = contents()
    expect(before).toContainEqual([basename(temporaryPath(files, 'output')), 'of the other run'])
    expect(before.map(([name]) => name)).not.toContain('out.jsonl')
    expect(append).toThrow(message)
    await expect(store.end('stopped', 0, testNow())).rejects.toThrow(message)
    expect(contents()).toEqual(before)
  },
)
