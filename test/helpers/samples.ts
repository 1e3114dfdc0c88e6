/** How much is tried: `npm test` takes a sample of what `npm run test:long` and `npm run fuzz` try, which set SYN_TEST_EFFORT. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect } from 'vitest'
import { FailedCase } from './failed-case.ts'

const effort = Number(process.env.SYN_TEST_EFFORT ?? 0.5)

const failedCases = fileURLToPath(new URL('../fixtures/failed-cases', import.meta.url))

/**
 * Parameters of the one `fc.assert` of a test. A case that failed in `npm run fuzz` is tried first from then on.
 * @param runs The number of runs; `npm test` tries half of them.
 */
export function samples<Case>(runs: number): fc.Parameters<Case> {
  const numRuns = Math.ceil(runs * effort)
  appendFileSync(counts(tmpdir()), `${numRuns}\n`)
  const failedCase = new FailedCase<Case>(failedCases, expect.getState())
  return {
    numRuns,
    seed: Number(process.env.SYN_TEST_SEED),
    examples: failedCase.read(),
    reporter: (details) => {
      if (!details.failed) return
      if (process.env.SYN_TEST_KEEP_FAILED && details.counterexample !== null) failedCase.write(details.counterexample)
      throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
    },
  }
}

/** The number of cases that all tests below a temporary folder have tried. */
export function casesTried(folder: string): number {
  if (!existsSync(counts(folder))) return 0
  return readFileSync(counts(folder), 'utf8')
    .trimEnd()
    .split('\n')
    .reduce((sum, count) => sum + Number(count), 0)
}

function counts(folder: string): string {
  return join(folder, 'cases.txt')
}

/** Of a terminal: in `npm test` the one that has less room. */
export const widths = effort > 1 ? [80, 40] : [40]

/** All pairs, or in `npm test` each of either once. */
export function pairs<One, Other>(ones: readonly One[], others: readonly Other[]): [one: One, other: Other][] {
  const all = ones.map((one) => others.map((other): [One, Other] => [one, other]))
  return effort > 1 ? all.flat() : all.flatMap((row, at) => row.slice(at % others.length, (at % others.length) + 1))
}

/** All of them, or in `npm test` one part of several, which come to all together. */
export function share<One>(all: readonly One[], part: number, parts: number): readonly One[] {
  return effort > 1 ? all : all.filter((_, at) => at % parts === part)
}
