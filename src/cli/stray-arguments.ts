/** Finds words that would be read otherwise than they are meant, in a command line that commander accepts. */

import type { AnyCommand } from '../command.ts'
import { UsageError } from '../errors.ts'
import { flagOf, mergeSpecs, type Fields } from '../fields/field.ts'
import { isModelName, specifiedEfforts } from '../fields/model-facts.ts'
import { isFile } from '../io/files/stats.ts'
import { knownFlag, type ParsedLine, piecesOf, takesValue } from './argv.ts'
import { removedError } from './removed.ts'

/**
 * @param command The subcommand, or the command itself.
 * @throws UsageError for such a word, which would be sent and paid, or name a file.
 */
export function rejectStrayArguments(line: ParsedLine, command: AnyCommand): void {
  const { argv, specs } = line
  const removed = removedError(line)
  if (removed) throw removed
  rejectStrayValues(argv, specs, command)
  if (!command.arguments?.some(({ many }) => many)) return
  const stray = strayValue(argv, specs)
  if (stray) throw stray
}

/**
 * Rejects an option in place of another one's value, `-o temperature 0.2`, `-o json` and `-t 0.2` of other programs, `-f *.txt`
 * that a shell expanded, and a second `-t`, as `-s` and `-f` may be repeated: the text of the first would not be sent.
 */
export function rejectStrayValues(argv: readonly string[], specs: Fields, command: AnyCommand): void {
  const pieces = piecesOf(argv, specs)
  if (pieces.filter(({ known }) => known?.flag === '--template').length > 1) {
    throw new UsageError('--template can be given only once')
  }
  for (const { word, known, takesNext, index } of pieces) {
    const [value, next = ''] = argv.slice(index + 1, index + 3)
    if (known?.spec.kind === 'boolean or model' && word === flagOf(known.name) && isModelName(value ?? '')) {
      throw new UsageError(`${word} takes a model after =`, { hint: `use ${word}=${value}` })
    }
    if (!known || !takesNext || value === undefined) continue
    const { flag, spec } = known
    const meant = flag === '--output' ? optionFor(value, next, mergeSpecs(command.options, command.fields)) : undefined
    if (meant !== undefined) {
      throw new UsageError(`${flag}: ${value} is the name of an option`, {
        hint: `use ${meant}; for a file of that name, use -o ./${value}`,
      })
    }
    if (flag === '--template' && /^[\d.]+$/.test(value)) {
      throw new UsageError(`${flag}: ${value} is a number`, { hint: `use --temperature ${value}` })
    }
    if (knownFlag(value, specs)) {
      throw new UsageError(`${flag}: missing value before ${value}`, {
        hint: `if ${value} is the value, write ${flag}=${value}`,
      })
    }
    const isArgument = command.arguments?.some(({ many, completes }) => many && completes === 'file')
    const takesFiles = spec.kind === 'texts' && spec.completes === 'file'
    if (takesFiles && !isArgument && !next.startsWith('-') && isFile(next)) {
      const typed = word.startsWith('--') ? word : `-${word.at(-1)}`
      throw new UsageError(`${typed} takes one file, but ${next} after ${value} is a file too`, {
        hint: `repeat ${typed} for each file, or quote the pattern`,
      })
    }
  }
}

/** The option that `-o KEY VALUE` of llm, or `-o FORMAT` of gemini, means. */
function optionFor(name: string, next: string, specs: Fields): string | undefined {
  const option = `--${name.replaceAll('_', '-')}`
  const isOption = /^jsonl?$/.test(name) || /^(-?[\d.]+|true|false|low|medium|high)$/.test(next)
  return isOption && knownFlag(option, specs) ? option : undefined
}

/** The error for a value that would become a word of the prompt, as in `--stream false hi`. */
export function strayValue(argv: readonly string[], specs: Fields): UsageError | undefined {
  const pieces = piecesOf(argv, specs)
  for (const [position, { index, known, word, takesNext }] of pieces.entries()) {
    const next = pieces[position + 1]
    if (!known || takesNext || takesValue(known) || word.includes('=')) continue
    if (next?.isFlag !== false || next.index !== index + 1) continue
    const isEffort = known.name === 'reasoning' && specifiedEfforts.includes(next.word)
    const takesNumber = known.spec.kind === 'boolean or number' && !known.isNegated
    const pattern = takesNumber ? /^(true|false|auto|always|never|\d+)$/ : /^(true|false|auto|always|never)$/
    if (!isEffort && !pattern.test(next.word)) continue
    const hint = isEffort ? `for the effort, use --reasoning-effort ${next.word}` : undefined
    return new UsageError(`${word} ${next.word} is ambiguous: write a value after =, and text after --`, { hint })
  }
  return undefined
}
