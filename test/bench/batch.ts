/** Many short requests over a file: CPU time against undici alone, and memory that must not grow with the rows. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, type Entrant, type Figure, type Setting } from './figures.ts'
import { modelWithEvents, textWithEvents } from './replies.ts'
import { programFile } from './rivals.ts'

const events = 5

export function measureBatch(setting: Setting): Promise<Figure[]> {
  const { node, baseUrl, key } = setting
  const rows = 20_000
  const input = writePrompts(rows, setting)
  const base: Entrant = {
    id: 'batch/undici',
    label: 'undici, 64 at a time',
    command: [node, programFile('batch.mjs'), baseUrl, key, modelWithEvents(events), input],
    problem: (output) => problemOf(output.toString('utf8'), rows),
    peak: true,
  }
  return compare(base, [synEntrant('batch/syn', rows, input, setting)], setting)
}

export function measureBatchMemory(setting: Setting): Promise<Figure[]> {
  const [few, many] = [100_000, 1_000_000].map((rows) => {
    const label = `syn batch, ${rows.toLocaleString('en')} rows`
    const id = rows === 100_000 ? 'batch-memory/few' : 'batch-memory/syn'
    return { ...synEntrant(id, rows, writePrompts(rows, setting), setting), label }
  }) as [Entrant, Entrant]
  return compare(few, [many], setting)
}

function writePrompts(rows: number, { folder }: Setting): string {
  const path = join(folder, `prompts-${rows}.jsonl`)
  const prompt = (row: number): string => JSON.stringify({ prompt: `Is review number ${row} a good or a bad one?` })
  writeFileSync(path, Array.from({ length: rows }, (_, row) => `${prompt(row)}\n`).join(''))
  return path
}

/** Its results are a file: that is how a run of many rows is made. */
function synEntrant(id: string, rows: number, input: string, { node, syn, folder }: Setting): Entrant {
  const output = join(folder, 'answers.txt')
  return {
    id,
    label: 'syn batch',
    command: [node, syn, 'batch', input, '-q', '-m', modelWithEvents(events), '-o', output],
    problem: () => {
      const answers = readFileSync(output, 'utf8').replaceAll(/^.*$/gm, (line) => line && JSON.stringify(line))
      // The next run has to ask again.
      for (const path of [output, `${output}.answers`]) rmSync(path)
      return problemOf(answers, rows)
    },
    peak: true,
  }
}

/** @param answers One JSON string a line. */
function problemOf(answers: string, rows: number): string | undefined {
  const expected = `${JSON.stringify(textWithEvents(events))}\n`
  const right = answers.split(expected).length - 1
  return right === rows ? undefined : `has ${right} of ${rows} answers`
}
