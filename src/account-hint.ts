/** Completes the commands in hints by the account that the command line names. */

import { checkBaseUrl, SynError, withHint } from './errors.ts'
import type { GlobalValues } from './fields/global-options.ts'
import { shellWord } from './io/shell-word.ts'

/** Commands whose effect depends on the account. */
const accountCommand = /\bsyn (login|models|config (?:get|set) [a-z-]+)(?![\w-]| --(?:profile|base-url)\b)/g

/**
 * The error with a hint for the account of this run.
 * @param hasAnswered Whether the service has answered in this run: then its base URL is right.
 */
export function withAccountHint(error: unknown, { profile, baseUrl }: GlobalValues, hasAnswered: boolean): unknown {
  if (!(error instanceof SynError) || error.hint === undefined) return error
  const flags = [
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
    ...(baseUrl === undefined ? [] : [`--base-url ${shellWord(baseUrl)}`]),
  ].join(' ')
  const isTyped = baseUrl !== undefined && error.hint.includes(checkBaseUrl)
  if (flags === '' && !hasAnswered) return error
  const parts = error.hint
    .split('; ')
    .filter((part) => !hasAnswered || !part.endsWith(checkBaseUrl))
    .map((part) =>
      isTyped ? part.replace(checkBaseUrl, `check the base URL: --base-url ${shellWord(baseUrl)}`) : part,
    )
    .map((part) => (flags === '' ? part : part.replace(accountCommand, `$& ${flags.replaceAll('$', '$$$$')}`)))
  return withHint(error, parts.length === 0 ? undefined : parts.join('; '))
}
