/** The parts shared by the scripts for bash and zsh: the tables as functions, and the parser of the command line. */

import {
  type ArgumentRule,
  type CommandLine,
  contextFlags,
  type Flag,
  notationOf,
  type CandidateSource,
  type CommandNode,
} from './command-line.ts'
import { shellWord } from '../io/shell-word.ts'

/** Width of the script's lines, before indentation. */
const width = 100

/** Formats a word with its description. */
export type Describe = (word: string, help: string) => string

/** The tables as shell functions. */
export function tables({ nodes, globalFlags }: CommandLine, describe: Describe): string {
  const paths = nodes.flatMap(({ path, subcommands }) => subcommands.map(({ name }) => `${path}:${name}`))
  return `# Sets the subcommands and flags of a command.
_syn_node() {
  subcommands=() flags=()
  ${choice(
    '$1',
    nodes.map((node) => nodeCase(node, describe)),
  )}
${indented(list('flags+=', flagWords(globalFlags, describe)))}
}

# Whether a word is a subcommand of a command.
_syn_has_subcommand() {
  ${choice('"$1:$2"', [caseOf(alternatives(paths), 'return')])}
  return 1
}

# Whether a flag takes a value, or with = after it an optional one; sets the candidates for it.
_syn_takes_value() {
  candidates=()
  ${choice('$2', [valueCases(globalFlags)])}
  ${choice('$1', nodes.map(flagCase))}
  return 1
}

# Sets the candidates for an argument: by command, position and previous word.
_syn_argument() {
  candidates=()
  ${choice('"$1:$2:$3"', nodes.flatMap(argumentCases))}
}
`
}

function choice(word: string, cases: readonly string[]): string {
  return ['case ' + word + ' in', indented(indented(cases.filter(Boolean).join('\n'))), '  esac'].join('\n')
}

function nodeCase({ path, subcommands, flags }: CommandNode, describe: Describe): string {
  const lists = [
    list(
      'subcommands=',
      subcommands.map(({ name, summary }) => describe(name, summary)),
    ),
    list('flags=', flagWords(flags, describe)),
  ].filter(Boolean)
  return lists.length === 0 ? '' : caseOf(shellWord(path), lists.join('\n'))
}

function flagWords(flags: readonly Flag[], describe: Describe): string[] {
  return flags.flatMap(({ names, help }) => names.map((name) => describe(name, help)))
}

function flagCase({ path, flags }: CommandNode): string {
  const cases = valueCases(flags)
  return cases === '' ? '' : caseOf(shellWord(path), `case $2 in\n${indented(cases)}\nesac`)
}

/** One case for all flags with the same candidates. */
function valueCases(flags: readonly Flag[]): string {
  const values = flags.flatMap(({ names, candidates, attached }) => [
    ...(candidates ? [{ words: names, candidates }] : []),
    ...(attached ? [{ words: names.map((name) => `${name}=`), candidates: attached }] : []),
  ])
  return groupBy(values, ({ candidates }) => candidateList(candidates))
    .map(([candidates, values]) => caseOf(alternatives(values.flatMap(({ words }) => words)), `${candidates}return`))
    .join('\n')
}

function argumentCases({ path, arguments: rules }: CommandNode): string[] {
  return groupBy(rules, ({ candidates }) => candidateList(candidates)).map(([candidates, rules]) =>
    caseOf(rules.map((rule) => argumentPattern(path, rule)).join(' | '), candidates.trim()),
  )
}

function argumentPattern(path: string, { position, previousWord }: ArgumentRule): string {
  return `${shellWord(path)}:${position ?? '*'}:${previousWord === undefined ? '*' : shellWord(previousWord)}`
}

function candidateList(candidates: readonly CandidateSource[]): string {
  return candidates.length === 0 ? '' : `candidates=(${candidates.map(notationOf).map(shellWord).join(' ')})\n`
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): [key: string, items: Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups]
}

function caseOf(pattern: string, body: string): string {
  return `${pattern})\n${indented(body)}\n  ;;`
}

function alternatives(patterns: readonly string[]): string {
  return wrap(patterns.map(shellWord), ' | ').join(' | \\\n  ')
}

function list(assignment: string, words: readonly string[]): string {
  const lines = wrap(words.map(shellWord), ' ')
  if (lines.length < 2) return lines.map((line) => `${assignment}(${line})`).join('')
  return `${assignment}(\n${indented(lines.join('\n'))}\n)`
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

function wrap(words: readonly string[], separator: string): string[] {
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line === undefined || line.length + separator.length + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line + separator + word
  }
  return lines
}

/** The parser of the words before the one to complete. Typed text is only compared and passed on. */
export const reader = `# Reads a word before the one to complete.
_syn_read() {
  local word=$1
  if [[ -n $flag ]]; then
    _syn_keep_context "$flag" "$word"
    flag=''
  elif [[ -n $ended ]]; then
    return
  elif [[ $word == -- ]]; then
    ended=yes
  elif [[ $word == --*=* ]]; then
    _syn_keep_context "\${word%%=*}" "\${word#*=}"
  elif [[ $word == --* ]]; then
    if _syn_takes_value "$node" "$word"; then flag=$word; else _syn_keep_context "$word"; fi
  elif [[ $word == -?* ]]; then
    _syn_short_flags "\${word#-}"
  elif [[ $position == 0 ]] && _syn_has_subcommand "$node" "$word"; then
    node=\${node:+$node }$word
  else
    previous=$word
    position=$((position + 1))
  fi
}

# Reads short flags in one word: the first that takes a value takes the rest, or else the next word.
_syn_short_flags() {
  local letters=$1
  while [[ -n $letters ]]; do
    if _syn_takes_value "$node" "-\${letters:0:1}"; then
      [[ \${#letters} == 1 ]] && flag=-$letters
      return
    fi
    letters=\${letters:1}
  done
}

# Keeps the flags that change the lists of names.
_syn_keep_context() {
  case $1 in
    ${contextFlags.join(' | ')}) context_flags+=("$1\${2+=$2}") ;;
  esac
}

# Gets a list of names from syn, which sends no request for it.
_syn_names() {
  command syn completion "$1" \${context_flags[@]+"\${context_flags[@]}"} 2> /dev/null < /dev/null
}
`
