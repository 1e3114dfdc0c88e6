/** `syn completion --words`: what the scripts of the shells ask at each Tab. Nothing is sent, and nothing that was typed is run. */

import type { AnyCommand } from '../command.ts'
import { argumentCandidates, candidatesOf, type ShellCandidate, flagsOf } from '../completion/flag-candidates.ts'
import { splitLine } from '../completion/split-line.ts'
import { type CompletedPath, type Completes, flagOf, mergeSpecs, type StoredName } from '../fields/field.ts'
import { globalOptions, helpOption } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'
import { promptNames } from '../fields/prompt-file.ts'
import type { Io } from '../io/io.ts'
import type { Secrets } from '../io/secrets.ts'
import { argumentsOf, isHelpWord, piecesOf, programSpecs } from './argv.ts'
import { readLine } from './program.ts'
import { registry } from './registry.ts'

/**
 * The candidates for the last word of a command line, one on each line: the whole word, and after a tab its help. A line that
 * starts with a tab stands for paths: what comes before the path in the word, a tab, and the path so far.
 * @param line Up to the cursor, from the name of the program, as typed.
 * @param typed The end of the last word that a candidate replaces (default: all of it).
 */
export async function completeLine(line: string, typed: string | undefined, io: Io, secrets: Secrets): Promise<string> {
  const { words, current, isRedirected } = splitLine(line)
  // A line of the answer is one candidate.
  if ((typed !== undefined && !current.endsWith(typed)) || /[\n\r\t]/.test(current)) return ''
  const cursor = await cursorContext(words.slice(1))
  const { lead, candidates } = isRedirected ? { lead: '', candidates: anyPath } : completionPoint(current, cursor)
  const value = current.slice(lead.length)
  const kept = typed === undefined ? 0 : current.length - typed.length
  const lines: string[] = []
  const offer = (word: string, help = ''): void => {
    if (word !== '' && word.startsWith(value)) lines.push(`${(lead + word).slice(kept)}\t${help}`)
  }
  for (const candidate of candidates) {
    if (typeof candidate !== 'string') offer(candidate.word, candidate.help)
    else if (candidate === 'command') for (const { name, summary } of registry) offer(name, summary)
    else if (candidate === 'prompt') for (const name of promptNames(io)) offer(name)
    else if (!isPath(candidate)) for (const name of await namesOf(candidate, cursor, io, secrets)) offer(name)
    else if (candidate !== 'file' && value.startsWith('@')) {
      lines.push(`\t${lead}@\t${value.slice(1)}`)
      if (candidate === '@file') for (const name of promptNames(io)) offer(`@${name}`)
    } else if (candidate === '@file') offer('@')
    // Beside words, only where none fits.
    else if (candidate === 'file' || lines.length === 0) lines.push(`\t${lead}\t${value}`)
  }
  return lines.map((text) => `${text}\n`).join('')
}

const anyPath: readonly ShellCandidate[] = ['file']

function isPath(candidate: Completes): candidate is CompletedPath {
  return /^(@|\[@\])?file$/.test(candidate)
}

type CursorContext = Awaited<ReturnType<typeof cursorContext>>

async function cursorContext(words: readonly string[]) {
  const { specs, target } = await readLine(words)
  const pieces = piecesOf(words, specs)
  const isHelp = isHelpWord(words)
  const definition: Partial<AnyCommand> = target?.definition ?? {}
  const { fields, options, subcommands = {}, arguments: positionals = [] } = definition
  const help = target || isHelp ? [] : [{ name: 'help', summary: 'Print the help of a command' }]
  const below = target ? Object.entries(subcommands).map(([name, { summary }]) => ({ name, summary })) : registry
  const given = argumentsOf(words, specs).slice(target?.path.length)
  return {
    words,
    pieces,
    /** All flags that the words may be, and those of the command that is named. */
    specs,
    flags: target ? { ...(isHelp ? {} : mergeSpecs(options, fields)), ...globalOptions, ...helpOption } : programSpecs,
    subcommands: [...below, ...help].map(({ name, summary }) => ({ word: name, help: summary })),
    arguments: isHelp ? [] : positionals,
    given: given.map(({ word }) => word),
  }
}

/** What may stand at the cursor, and what of its word is not part of it, such as `--model=`. */
function completionPoint(
  current: string,
  cursor: CursorContext,
): { lead: string; candidates: readonly ShellCandidate[] } {
  const { words, pieces, specs, flags, subcommands, arguments: rules, given } = cursor
  const last = pieces.at(-1)
  const isValue = (at: number): boolean => pieces.some(({ takesNext, index }) => takesNext && index === at - 1)
  const isEnded = words.some((word, at) => word === '--' && !isValue(at))
  if (last?.known && last.takesNext && last.index === words.length - 1 && !isEnded) {
    const { spec } = last.known
    // The next word may be an argument if the value is optional.
    if (kindOf(spec).flag.value === 'required') return { lead: '', candidates: candidatesOf(spec) }
  }
  if (isEnded) return { lead: '', candidates: anyPath }
  const [lead] = /^--[^=]+=/.exec(current) ?? []
  if (lead !== undefined) {
    const known = piecesOf([current], specs)[0]?.known
    const takesOne = known && !known.isNegated && ['required', 'attached'].includes(kindOf(known.spec).flag.value)
    return { lead, candidates: takesOne ? candidatesOf(known.spec) : [] }
  }
  if (current.startsWith('-')) return { lead: '', candidates: flagsOf(flags) }
  const rule = rules[given.length] ?? (rules.at(-1)?.many ? rules.at(-1) : undefined)
  const values = rule ? argumentCandidates(rule, given.at(-1)) : []
  return { lead: '', candidates: [...values, ...(given.length === 0 ? subcommands : [])] }
}

/** The flags that change which names are stored. */
const contextFlags = ['profile', 'baseUrl', 'sandbox', 'toolsFile'] as const

/** The names of a list, without any if they cannot be read. */
async function namesOf(
  list: StoredName,
  { words, pieces }: CursorContext,
  io: Io,
  secrets: Secrets,
): Promise<string[]> {
  const typed = new Map<string, string | boolean>()
  for (const { word, index, known, takesNext } of pieces) {
    const name = contextFlags.find((one) => flagOf(one) === known?.flag)
    if (name === undefined) continue
    if (name === 'sandbox') typed.set(name, true)
    else typed.set(name, takesNext ? (words[index + 1] ?? '') : word.slice(word.indexOf('=') + 1))
  }
  const { nameCandidates } = await import('../completion/name-candidates.ts')
  return nameCandidates(list, typed, io, secrets)
}
