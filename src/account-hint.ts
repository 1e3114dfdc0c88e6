/** Completes the commands in hints by the account that the command line names. */

import { checkBaseUrl, SynError, withHint } from './errors.ts'
import type { GlobalValues } from './fields/global-options.ts'
import { shellWord } from './io/text/shell-word.ts'

/** Commands whose effect depends on the account, and their flags. Settings belong to a profile alone. */
const accountCommand =
  /\bsyn (login|models|count-tokens|quota|config (?:get|set) [a-z-]+)(?![\w-])((?: --[a-z-]+ \S+)*)/g

/**
 * The error with a hint for the account of this run.
 * @param hasAnswered Whether the service has answered in this run: then its base URL is right.
 */
export function withAccountHint(error: unknown, { profile, baseUrl }: GlobalValues, hasAnswered: boolean): unknown {
  if (!(error instanceof SynError) || error.hint === undefined) return error
  const flags = Object.entries({ '--profile': profile, '--base-url': baseUrl }).flatMap(([flag, value]) =>
    value === undefined ? [] : [{ flag, text: ` ${flag} ${shellWord(value)}` }],
  )
  const completed = (line: string, command: string, given: string): string =>
    line +
    flags
      .filter(({ flag }) => !given.includes(flag) && (flag === '--profile' || !command.startsWith('config')))
      .map(({ text }) => text)
      .join('')
  const checkTyped = baseUrl === undefined ? checkBaseUrl : `check the base URL: --base-url ${shellWord(baseUrl)}`
  const parts = error.hint
    .split('; ')
    .filter((part) => !hasAnswered || !part.endsWith(checkBaseUrl))
    .map((part) => part.replace(checkBaseUrl, () => checkTyped).replace(accountCommand, completed))
  return withHint(error, parts.length === 0 ? undefined : parts.join('; '))
}
