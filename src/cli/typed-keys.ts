/** Finds API keys among the words of a command line. Loaded only after a failure. */

import type { Io } from '../io/io.ts'
import type { Secrets } from '../io/secrets.ts'
import { Settings } from '../settings/settings.ts'
import { argumentsOf } from './argv.ts'

/** Flags for the API key elsewhere, and `-kKEY`. `--with-key` of `syn login` takes no value, and `--max-tokens` is none. */
const keyFlag =
  /^--?(?!-?(?:with|max)[-_])([\w-]*[-_])?(api|access|auth)?(key|token|bearer|password|secret|authorization)(=|$)|^-k/i

/** An assignment, or a header such as `Authorization: Bearer KEY`. */
const keyAssignment =
  /^([\w-]*[-_])?(api)?(key|token|bearer|password|secret|authorization)=\S|^([\w-]*authorization|(x-)?api-key):/i

/** What to do instead of typing a key; after `syn login`, it may also be an address. */
export const keyHint =
  'the API key is never read from the command line; use syn login (--base-url URL for the address), or set SYN_API_KEY'

export function isKeyFlag(word: string): boolean {
  return keyFlag.test(word)
}

/** Whether a key was typed where none is read, as in `--token KEY` and `syn auth login KEY`. */
export function hasKey(argv: readonly string[]): boolean {
  return argv.some(isKeyFlag) || typedKeys(argv).length > 0
}

/** The words that are keys by their position. */
function typedKeys(argv: readonly string[]): string[] {
  const words = argumentsOf(argv, {}).map(({ word }) => word)
  const login = words[0] === 'auth' ? 1 : 0
  const afterLogin = words[login] === 'login' ? words.slice(login + 1) : []
  const others = argv.filter((word, index) => {
    const before = argv[index - 1] ?? ''
    return keyAssignment.test(word) || before === 'api-key' || isKeyFlag(before)
  })
  return [...afterLogin, ...others]
}

/** Adds the stored keys, and what was typed as one or looks like one. Never fails: it is called to print an error. */
export async function addTypedSecrets(argv: readonly string[], io: Io, secrets: Secrets): Promise<void> {
  for (const word of typedKeys(argv)) {
    secrets.add(word)
    secrets.add(word.replace(/^[\w-]+[=:]\s*/, ''))
  }
  for (const word of argv) {
    if (isKeyFlag(word)) secrets.add(word.replace(/^-k|^-[^=]*=?/, ''))
    for (const [key] of word.matchAll(/\bsk-[^\s'"]{5,}/g)) secrets.add(key)
  }
  try {
    void new Settings({}, io, secrets, () => Promise.resolve())
  } catch {
    // For example without a home directory.
  }
}
