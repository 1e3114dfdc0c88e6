/** The environment of what tools start: few variables of syn's own, and those that the file names. */

import { UsageError } from '../errors.ts'
import type { Io } from '../io/io.ts'

const passed = /^(PATH|HOME|LANG|LC_.*|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|XDG_.*)$/

/** Servers connect to the network more often than commands, and start package managers that do. */
const passedToServers =
  /^((HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|(CURL|REQUESTS)_CA_BUNDLE)$/

/** Without these, hardly a program starts on Windows. */
const passedOnWindows =
  /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|TEMP|TMP|USERPROFILE|USERNAME|(LOCAL)?APPDATA)$/

/**
 * @param own The entry's `env`, expanded.
 * @param kind Of what is started.
 */
export function environmentFor(
  kind: 'command' | 'server',
  own: Readonly<Record<string, string>>,
  { env, platform }: Pick<Io, 'env' | 'platform'>,
): Record<string, string> {
  const isPassed = (name: string): boolean => {
    if (kind === 'server' && passedToServers.test(name)) return true
    if (platform !== 'win32') return passed.test(name)
    return passed.test(name.toUpperCase()) || passedOnWindows.test(name.toUpperCase())
  }
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...Object.fromEntries(entries.filter(([name]) => isPassed(name))), ...own }
}

/** The values of `env` or `headers`, expanded. @throws as `expandVariables`. */
export function expandValues(
  values: Readonly<Record<string, string>> = {},
  where: string,
  io: Pick<Io, 'env'>,
): Record<string, string> {
  const expand = (name: string, text: string): string => expandVariables(text, `${where}[${JSON.stringify(name)}]`, io)
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, expand(name, text)]))
}

/**
 * Replaces each `${NAME}` by the variable.
 * @param where The file and the JSON path, for errors.
 * @throws UsageError for a variable that is not set, or that is one of syn's own: SYN_API_KEY is for the service only.
 */
export function expandVariables(text: string, where: string, { env }: Pick<Io, 'env'>): string {
  return text.replaceAll(/\$\{([^}]*)\}?/g, (reference: string, name: string) => {
    if (!/^\$\{[A-Za-z_]\w*\}$/.test(reference)) {
      throw new UsageError(`${where}: ${JSON.stringify(reference)} is not accepted; expected \${NAME}`)
    }
    // On Windows, variables are found in any case.
    if (/^SYN_/i.test(name)) throw new UsageError(`${where}: \${${name}} is not accepted: tools get no variable of syn`)
    const value = env[name]
    if (value === undefined) throw new UsageError(`${where}: the variable ${name} is not set`)
    return value
  })
}
