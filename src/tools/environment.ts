/** The environment of what tools start: few variables of this run, and those that the file names. */

import { UsageError } from '../errors.ts'
import { type Io, ownVariable } from '../io/io.ts'
import { passedVariables } from '../io/process/process-group.ts'
import type { ToolsContext } from './tool.ts'

type Environment = Pick<ToolsContext, 'secrets'> & { readonly io: Pick<Io, 'env' | 'platform'> }

type Variables = Readonly<Record<string, string>>

/** @param own The entry's `env`. @param where The file and the JSON path of the entry. @throws as `expandValues`. */
export function environmentFor(
  kind: 'command' | 'server',
  own: Variables,
  where: string,
  context: Environment,
): Variables {
  return { ...passedVariables(context.io, kind === 'server'), ...expandValues(own, `${where}.env`, context) }
}

const namesSecret = /^(authorization|cookie)$|key|token|secret|password|credential/i

/** Paths, numbers, and addresses without credentials or a query: errors are not readable without them. */
const isPlain = /^([~.]{0,2}|[a-z]:)[/\\]|^[\d.,+-]+$|^[a-z][a-z\d+.-]*:\/\/[^@?]*$|^[\w.-]+:\d+$/i

const hasPassword = /^[a-z][a-z\d+.-]*:\/\/[^@/?]*:[^@/?]*@/i

/**
 * The values of `env` or `headers`. Those that may be secrets are masked from now on in what servers and commands say.
 * @param where The file and the JSON path. @throws as `expandVariables`.
 */
export function expandValues(values: Variables, where: string, context: Environment): Record<string, string> {
  const expanded = Object.entries(values).map(([name, text]) => {
    const value = expandVariables(text, `${where}[${JSON.stringify(name)}]`, context)
    const isSecret = namesSecret.test(name) || text.includes('${') || hasPassword.test(value)
    // `Bearer`, `Basic`, and `Token` or `Bot` of other services stand before it.
    const parts = isSecret ? [value, value.replace(/^[a-z-]+ +/i, '')] : []
    for (const part of parts) if (!isPlain.test(part)) context.secrets.add(part)
    return [name, value] as const
  })
  return Object.fromEntries(expanded)
}

/**
 * Replaces each `${NAME}` by the variable, and what other clients write: `${env:NAME}` and `${NAME:-default}`.
 * @param where The file and the JSON path, for errors.
 * @throws UsageError for a variable that is not set, or that is one of syn's own: SYN_API_KEY is for the service only; for a
 * value that is or ends in `$NAME`, as in `Bearer $TOKEN`: it would be sent literally.
 */
export function expandVariables(text: string, where: string, { io: { env }, secrets }: Environment): string {
  if (/(^|\s)\$(env:)?[A-Za-z_]\w*$/.test(text)) {
    throw new UsageError(`${where}: a variable without braces is not accepted; expected \${NAME}`)
  }
  return text.replaceAll(/\$\{([^}]*)\}?/g, (reference: string, inner: string) => {
    const [, name = '', fallback] = /^(?:env:)?(.*?)(?::-((?:(?!\$\{).)*))?$/s.exec(inner) ?? []
    const value = env[name]
    if (ownVariable.test(name))
      throw new UsageError(`${where}: \${${name}} is not accepted: tools get no variable of syn`)
    const replacement = fallback === undefined ? value : value || fallback
    if (replacement !== undefined && reference.endsWith('}')) {
      if (!isPlain.test(replacement)) secrets.add(replacement)
      return replacement
    }
    if (/^\w+$/.test(name) && reference.endsWith('}')) throw new UsageError(`${where}: the variable ${name} is not set`)
    throw new UsageError(`${where}: what follows $ is not accepted; expected \${NAME}`)
  })
}
