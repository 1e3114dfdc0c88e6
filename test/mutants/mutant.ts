/** A small change of `src/` that breaks what syn promises, and the tests that should fail then. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What a mutant breaks: a promise of README.md, or an exit status of its table. */
export type Broken = keyof typeof promises | `exit ${string}`

export interface Mutant {
  /** What syn does with it. */
  readonly name: string
  /** Below `src/`. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly search: string
  readonly replacement: string
  /** One to three files below `test/`. A file of `faults/axes/` or `faults/processes/` stands for its cases. */
  readonly tests: readonly string[]
  readonly breaks?: readonly Broken[]
}

/** How the rows of README.md's promises start. */
export const promises = {
  'own origin': 'The key goes to its own origin only',
  'masked key': 'The key stands in nothing that syn writes itself',
  'safe terminal': 'No text can move the cursor',
  'kept answer': 'What arrived of an answer is kept',
  'complete file': 'A file of `-o` is replaced only',
  'valid input': 'Invalid input ends with exit status 2',
} as const

/** The test file that tries the cases of a file of `faults/`, and a regular expression for how their names start there. */
export const faultTests: Readonly<Record<string, readonly [file: string, names: string]>> = {
  'faults/axes/body.ts': ['faults/axes.test.ts', 'Body of a reply'],
  'faults/axes/connection.ts': ['faults/axes.test.ts', 'Connection'],
  'faults/axes/encoding.ts': ['faults/axes.test.ts', 'Encoding and framing'],
  'faults/axes/end.ts': ['faults/axes.test.ts', 'End of a stream'],
  'faults/axes/error-shape.ts': ['faults/axes.test.ts', 'Shape of an error'],
  'faults/axes/redirect.ts': ['faults/axes.test.ts', 'Redirect'],
  'faults/axes/retry-after.ts': ['faults/axes.test.ts', 'Retry-After'],
  'faults/axes/status.ts': ['faults/axes.test.ts', 'Status|.*with one operation$'],
  'faults/axes/time.ts': ['faults/waits.e2e.test.ts', 'Time'],
  'faults/processes/descriptors.ts': ['faults/processes.e2e.test.ts', 'Standard streams'],
  'faults/processes/environment.ts': ['faults/processes.long.test.ts', 'Environment'],
  'faults/processes/files.ts': ['faults/processes.long.test.ts', 'Files'],
  'faults/processes/limits.ts': ['faults/processes.e2e.test.ts', 'Limits of the system'],
  'faults/processes/names.ts': ['faults/processes.long.test.ts', 'Names'],
  'faults/processes/narrow.ts': ['faults/narrow.e2e.test.ts', ''],
  'faults/processes/signals.ts': ['faults/processes.e2e.test.ts', 'SIG'],
  'faults/processes/sizes.ts': ['faults/processes.long.test.ts', 'Sizes'],
}

/** A run of vitest. */
export interface TestRun {
  /** Below `test/`. */
  readonly files: readonly string[]
  /** A regular expression for how the names start; empty: all. */
  readonly names: string
}

/** The runs that try a mutant, in the order of its tests. */
export function runsOf({ tests }: Pick<Mutant, 'tests'>): TestRun[] {
  const files = tests.filter((file) => !Object.hasOwn(faultTests, file))
  const others = tests.flatMap((file) => {
    const [own, names] = faultTests[file] ?? []
    return own === undefined ? [] : [{ files: [own], names: names ?? '' }]
  })
  return files.length === 0 ? others : [{ files, names: '' }, ...others]
}

/** @returns the changed file. @throws Error if the mutant no longer applies. */
export function applied({ file, search, replacement, tests }: Mutant, root: string): string {
  const path = `${root}/src/${file}`
  if (!existsSync(path)) throw new Error(`src/${file} does not exist`)
  const [before, after, ...others] = readFileSync(path, 'utf8').split(search)
  if (after === undefined) throw new Error(`src/${file} does not contain ${search}`)
  if (others.length > 0) throw new Error(`src/${file} contains more than once ${search}`)
  for (const test of [...tests, ...runsOf({ tests }).flatMap(({ files }) => files)]) {
    if (!existsSync(`${root}/test/${test}`)) throw new Error(`test/${test} does not exist`)
  }
  return before + replacement + after
}

/** The root of the checkout. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
