/** A small change of `src/` that breaks what syn promises, and the tests that should fail then. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What a mutant breaks: a promise of README.md, an exit status of its table, or what keeps off a hostile service. */
export type Broken = keyof typeof promises | `exit ${string}` | 'no flood'

export interface Mutant {
  /** What syn does with it. */
  readonly name: string
  /** Below `src/`. */
  readonly file: string
  /** The shortest code that names the behavior. It occurs exactly once in the file, with any white space in it. */
  readonly search: string
  readonly replacement: string
  /** One to three files below `test/`. */
  readonly tests: readonly string[]
  readonly breaks: readonly [Broken, ...Broken[]]
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

/** @returns the changed file. @throws Error if the mutant no longer applies. */
export function applied({ file, search, replacement, tests }: Mutant, root: string): string {
  const path = `${root}/src/${file}`
  if (!existsSync(path)) throw new Error(`src/${file} does not exist`)
  const [before, after, ...others] = readFileSync(path, 'utf8').split(inAnyLayout(search))
  if (before === undefined || after === undefined) throw new Error(`src/${file} does not contain ${search}`)
  if (others.length > 0) throw new Error(`src/${file} contains more than once ${search}`)
  const missing = tests.find((test) => !existsSync(`${root}/test/${test}`))
  if (missing !== undefined) throw new Error(`test/${missing} does not exist`)
  return before + replacement + after
}

/** Code with any white space between its characters, so that a new layout of `src/` does not hide it. */
function inAnyLayout(code: string): RegExp {
  const characters = [...code.replaceAll(/\s/g, '')].map((one) => one.replace(/[^\w]/, String.raw`\$&`))
  return new RegExp(characters.join(String.raw`\s*`))
}

/** The root of the checkout. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
