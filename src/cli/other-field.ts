/** The error for an option that is a field of another request. Loaded only after a failure. */

import { UsageError } from '../errors.ts'
import { flagOf, type Field } from '../fields/field.ts'
import { kindOf } from '../fields/kinds.ts'
import { similarField } from '../fields/request-variants.ts'
import { uncheckedHint } from '../fields/unchecked.ts'
import { shownWord } from '../io/shell-word.ts'
import { registry } from './registry.ts'

/**
 * @param typed The unknown option, with the value after `=`.
 * @returns `undefined` for any other option, and for a command that sends no request to a model.
 */
export async function otherFieldError(
  typed: string,
  command: string | undefined,
  argv: readonly string[],
): Promise<UsageError | undefined> {
  const [, flag, value] = /^(--[a-z][\w-]*)(?:=(.*))?$/s.exec(typed) ?? []
  if (flag === undefined) return undefined
  const definitions = await Promise.all(registry.map(async ({ name, load }) => ({ name, ...(await load()).default })))
  const { fields, unsent, options } = definitions.find(({ name }) => name === command) ?? {}
  if (!fields?.model || !options?.param) return undefined
  const [name, row] = definitions.flatMap((one) => Object.entries(one.fields ?? {})).find(isField(flag)) ?? []
  if (name === undefined || !row || { ...fields, ...options, ...unsent }[name]) return undefined
  const similar = similarField(name, fields, row.kind)
  if (similar !== undefined) return new UsageError(`unknown option ${flag} (did you mean ${flagOf(similar)}?)`)
  const bare = kindOf(row).flag.value === 'required' ? wordAfter(flag, argv) : !flag.startsWith('--no-')
  const text = value ?? bare
  return new UsageError(`unknown option ${flag}`, {
    hint: uncheckedHint(name, row, typeof text === 'string' ? shownWord(text) : text),
  })
}

/** A required field is what its command is about, such as the prompt: others have their own way to it. */
function isField(flag: string): (entry: readonly [string, Field]) => boolean {
  return ([name, row]) => {
    const isNegated = kindOf(row).flag.negatable && flag === flagOf(`no_${name}`)
    return !row.required && (flag === flagOf(name) || isNegated === true)
  }
}

function wordAfter(flag: string, argv: readonly string[]): string | undefined {
  const next = argv[argv.indexOf(flag) + 1]
  return next !== undefined && /^(?!-)|^-\.?\d/.test(next) ? next : undefined
}
