/** The hint with a command line to type. Loaded only after a failure. */

import { CommanderError } from 'commander'
import { UsageError } from '../errors.ts'
import { checkCombinations } from '../fields/parse.ts'
import { globalOptions } from '../fields/global-options.ts'
import { typedLine } from '../io/shell-word.ts'
import { attachBareValues, commandName, type KnownFlag } from './argv.ts'
import { rejectExpandedPatterns } from './expanded-pattern.ts'
import { rowsFor } from './first-guess.ts'
import { loadProgram } from './program.ts'
import { hasKey, keyHintFor, withoutKeyCommand } from './secret-words.ts'
import { strayValue, type StrayValue } from './stray-value.ts'
import { rejectSwallowedOptions } from './swallowed-option.ts'

const noIo = { columns: () => 80, hasInput: false }

/**
 * @param before Words before `use`.
 * @param others Command lines to choose from, besides the first.
 * @returns a hint at the help instead of a line that would be refused.
 */
export async function lineHint(argv: readonly string[], before = '', ...others: string[][]): Promise<string> {
  if (hasKey(argv)) return keyHintFor(argv)
  const accepted: string[] = []
  for (const one of [argv, ...others]) {
    const line = await withAssignments(one)
    if (await isAccepted(line)) accepted.push(typedLine(['syn', ...withoutKeyCommand(line)]))
  }
  if (accepted.length > 0) return `${before}use ${accepted.join(', or ')}`
  const { target } = await loadProgram(argv, noIo, () => Promise.resolve())
  return `${before}see ${helpOf(target?.path ?? [])}`
}

export function helpOf(path: readonly string[]): string {
  return ['syn', ...path, '--help'].join(' ')
}

/** Whether the parser takes a line. Values of flags are not checked. */
async function isAccepted(argv: readonly string[]): Promise<boolean> {
  try {
    const { program, rows, target } = await loadProgram(argv, noIo, (definition, invocation) => {
      rejectSwallowedOptions(argv, rows, definition)
      rejectExpandedPatterns(argv, rows)
      const { fields, options, arguments: positionals = [] } = definition
      checkCombinations({ ...options, ...globalOptions, ...fields }, positionals, invocation)
      return Promise.resolve()
    })
    if ((commandName(argv) !== undefined && !target) || target?.unknown !== undefined) return false
    await program.parseAsync(attachBareValues(argv, rows), { from: 'user' })
    return true
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0
    if (error instanceof UsageError) return false
    throw error
  }
}

/** `--stream false` → `--stream=false`, for each such flag. */
async function withAssignments(argv: readonly string[]): Promise<string[]> {
  const rows = await rowsFor(argv)
  const stray = strayValue(argv, rows)
  return stray ? withAssignments(withAssignment(stray, argv)) : [...argv]
}

export function withAssignment({ known, index, meant }: StrayValue, argv: readonly string[]): string[] {
  if (meant !== undefined) return argv.with(index - 1, meant)
  const [typed = '', word = ''] = argv.slice(index - 1)
  // Of several short flags in one word, the last one has the value.
  const others = /^-[^-]{2,}/.test(typed) ? [typed.slice(0, -1)] : []
  return argv.toSpliced(index - 1, 2, ...others, ...assignmentOf(known, word))
}

/** `--stream false` → `--stream=false`; `--json auto`, where there is nothing to choose, → nothing. */
function assignmentOf({ flag, row, isNegated }: KnownFlag, word: string): string[] {
  const isOn = /^(true|always)$/.test(word)
  if (isNegated) return word === 'auto' ? [] : [isOn ? flag : flag.replace('--no-', '--')]
  if (row.kind === 'boolean or choice' || /^\d+$/.test(word)) return [`${flag}=${word}`]
  return word === 'auto' ? [] : [`${flag}=${isOn}`]
}
