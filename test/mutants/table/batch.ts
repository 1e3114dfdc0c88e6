/** Many requests over a file: rows, journal, output. */

import type { Mutant } from '../mutant.ts'

export const batch: readonly Mutant[] = [
  {
    name: 'loses the last rows of the output of a batch',
    file: 'batch/output/new-file.ts',
    search: '    await this.#flush()\n    await this.#guard(() => sync(this.#file))',
    replacement: '    await this.#guard(() => sync(this.#file))',
    tests: ['batch/output.test.ts'],
    breaks: ['kept answer'],
  },
  {
    name: 'prints the rows of a batch as they finish',
    file: 'batch/output/in-order.ts',
    search: 'this.#texts.set(place, text)',
    replacement: 'this.#texts.set(place < this.#written ? place : this.#written, text)',
    tests: ['batch/in-order.test.ts'],
  },
  {
    name: 'does not send failed rows again',
    file: 'batch/journal/journal.ts',
    search: 'return (this.#offsets[row] ?? noResult) >= 0',
    replacement: 'return (this.#offsets[row] ?? noResult) !== noResult',
    tests: ['batch/resume.test.ts', 'batch/output.test.ts'],
  },
  {
    name: 'sends rows again that have an answer',
    file: 'batch/journal/resume.ts',
    search: '      if (row === undefined) return\n',
    replacement: '      if (row === undefined || row === 0) return\n',
    tests: ['batch/resume.test.ts'],
  },
  {
    name: 'continues a batch with the answers of another service',
    file: 'batch/journal/resume.ts',
    search: 'if (succeeded > 0 && former.base_url !== now.base_url) {',
    replacement: 'if (succeeded > 99 && former.base_url !== now.base_url) {',
    tests: ['batch/resume.test.ts'],
    breaks: ['exit 2'],
  },
  {
    name: 'keeps half a line of the journal',
    file: 'batch/journal/line-scanner.ts',
    search: 'if (!hasWholeLines && line.size > 0)',
    replacement: 'if (line.size > (hasWholeLines ? 1 : 0))',
    tests: ['batch/journal.test.ts', 'batch/resume.test.ts', 'batch/resume.fuzz.test.ts'],
  },
  {
    name: 'ends with 0 although rows of a batch failed',
    file: 'batch/filter-run.ts',
    search: 'if (tally.failed > 0) throw',
    replacement: 'if (tally.failed > 1) throw',
    tests: ['batch/filter-run.test.ts', 'batch/filter.e2e.test.ts'],
    breaks: ['exit 1'],
  },
  {
    name: 'goes on although the first rows all fail',
    file: 'batch/sending/error-limit.ts',
    search: 'const maxFirstFailures = 25',
    replacement: 'const maxFirstFailures = 250',
    tests: ['batch/pool.test.ts'],
  },
  {
    name: 'merges results of which a line has two',
    file: 'batch/output/merge.ts',
    search: 'if (known > knownBefore) repeated.add(record.line)',
    replacement: 'if (known > knownBefore + 1) repeated.add(record.line)',
    tests: ['batch/merge.test.ts'],
  },
  {
    name: 'continues although the quota is used up',
    file: 'batch/sending/quota-hold.ts',
    search: "if (this.#until === undefined || onLimit === 'wait') return undefined",
    replacement: "if (this.#until === undefined || onLimit !== 'stop') return undefined",
    tests: ['batch/pool-quota.test.ts'],
    breaks: ['exit 5'],
  },
  {
    name: 'takes equal ids of rows',
    file: 'batch/input/custom-id.ts',
    search: 'if (hash === hashes[at - 1]) twice.add(hash)',
    replacement: 'if (hash === hashes[at - 2]) twice.add(hash)',
    tests: ['batch/custom-id.test.ts'],
    breaks: ['valid input'],
  },
]
