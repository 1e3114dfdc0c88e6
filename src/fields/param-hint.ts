/** Hints for what a request's table does not have: `--param` sends it, or another option takes it. Loaded only after a failure. */

import { UsageError, withHint } from '../errors.ts'
import { flagOf, type Fields } from './field.ts'

/** @param value As `--param` takes it. */
export function paramHint(name: string, value = 'VALUE'): string {
  return `use -p ${name}=${value} to send it unchecked`
}

/**
 * Adds a hint to the error about a plain word that is none of a field's choices, and about a tool that syn is to run, or a
 * file of such tools, as the value of `--tools`.
 * @param runsTools Whether the command has the option for it.
 */
export function withFlagHint(error: unknown, specs: Fields, runsTools: boolean): unknown {
  if (!(error instanceof UsageError)) return error
  const { message } = error
  if (
    runsTools &&
    /^--tools.*(: "[\w-]{1,64}(\/[\w-]+)?" is neither JSON nor a file$|"(tools|mcpServers)":)/s.test(message)
  ) {
    return withHint(error, 'use -T NAME to let the model call a tool of tools.json, or of --tools-file FILE')
  }
  const [, flag, word] = /^(--[\w-]+): "([A-Za-z][\w-]*)" is not accepted;(?!.*did you mean)/s.exec(message) ?? []
  const [name, spec] = Object.entries(specs).find(([one]) => flagOf(one) === flag) ?? []
  // A field without such words cannot be a string.
  const hasWords = spec && 'choices' in spec && spec.choices && spec.choices.length > 0
  return hasWords ? withHint(error, paramHint(name ?? '', word)) : error
}
