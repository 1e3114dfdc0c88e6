/** The environment of what tools start: few variables of this run, and those that the file names. */

import { UsageError } from '../errors.ts'
import { type Io, ownVariable } from '../io/io.ts'

type Environment = Pick<Io, 'env' | 'platform'>

const passed = /^(PATH|HOME|LANG|LC_.*|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|XDG_.*)$/

/** Servers connect to other machines, and the package managers that start them do. */
const passedToServers =
  /^((HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|(CURL|REQUESTS)_CA_BUNDLE)$/

/** Hardly a program starts on Windows without these. */
const passedOnWindows = /^(PATH(EXT)?|SYSTEMROOT|COMSPEC|TE?MP|USER(NAME|PROFILE)|(LOCAL)?APPDATA|PROGRAM.*)$/i

type Variables = Readonly<Record<string, string>>

/** @param own The entry's `env`. @param where The file and the JSON path of the entry. @throws as `expandValues`. */
export function environmentFor(kind: 'command' | 'server', own: Variables, where: string, io: Environment): Variables {
  const isPassed = ([name]: [string, unknown]): boolean =>
    passed.test(name) ||
    (kind === 'server' && passedToServers.test(name)) ||
    (io.platform === 'win32' && passedOnWindows.test(name))
  const inherited = Object.fromEntries(Object.entries(io.env).filter(isPassed)) as Variables
  return { ...inherited, ...expandValues(own, `${where}.env`, io) }
}

/** The values of `env` or `headers`. @param where The file and the JSON path. @throws as `expandVariables`. */
export function expandValues(values: Variables, where: string, io: Environment): Record<string, string> {
  const whereOf = (name: string): string => `${where}[${JSON.stringify(name)}]`
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, expandVariables(text, whereOf(name), io)]),
  )
}

/**
 * Replaces each `${NAME}` by the variable, and what other clients write: `${env:NAME}` and `${NAME:-default}`.
 * @param where The file and the JSON path, for errors.
 * @throws UsageError for a variable that is not set, or that is one of syn's own: SYN_API_KEY is for the service only; for a
 * value that is or ends in `$NAME`, as in `Bearer $TOKEN`: it would be sent literally.
 */
export function expandVariables(text: string, where: string, { env }: Environment): string {
  if (/(^|\s)\$(env:)?[A-Za-z_]\w*$/.test(text)) {
    throw new UsageError(`${where}: a variable without braces is not accepted; expected \${NAME}`)
  }
  return text.replaceAll(/\$\{([^}]*)\}?/g, (reference: string, inner: string) => {
    const [, name = '', fallback] = /^(?:env:)?(.*?)(?::-((?:(?!\$\{).)*))?$/s.exec(inner) ?? []
    const value = env[name]
    if (ownVariable.test(name))
      throw new UsageError(`${where}: \${${name}} is not accepted: tools get no variable of syn`)
    const replacement = fallback === undefined ? value : value || fallback
    if (replacement !== undefined && reference.endsWith('}')) return replacement
    if (/^\w+$/.test(name) && reference.endsWith('}')) throw new UsageError(`${where}: the variable ${name} is not set`)
    throw new UsageError(`${where}: what follows $ is not accepted; expected \${NAME}`)
  })
}
