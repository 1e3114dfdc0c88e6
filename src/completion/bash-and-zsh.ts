/** What the scripts for bash and zsh have in common: the tables as functions, and how the words of a line are read. */

import {
  type ArgumentRule,
  type CommandLine,
  decisiveFlags,
  type Flag,
  markOf,
  type Offer,
  type CommandNode,
} from './command-line.ts'

/** Of the lines of a script, before they are indented. */
const width = 100

/** How a word is written beside what it is for. */
export type Describe = (word: string, help: string) => string

/** Functions that tell what may be typed after a command. */
export function tables({ nodes, everywhere }: CommandLine, describe: Describe): string {
  const paths = nodes.flatMap(({ path, subcommands }) => subcommands.map(({ name }) => `${path}:${name}`))
  return `# Sets the subcommands and flags of a place: of syn itself, or of one of its commands.
_syn_place() {
  subcommands=() flags=()
  ${choice(
    '$1',
    nodes.map((node) => nodeCase(node, describe)),
  )}
${indented(list('flags+=', flagWords(everywhere, describe)))}
}

# Whether a word leads on from a place.
_syn_leads() {
  ${choice('"$1:$2"', [caseOf(alternatives(paths), 'return')])}
  return 1
}

# Whether a flag takes a value, and what is offered for it.
_syn_takes() {
  offers=()
  ${choice('$2', [valueCases(everywhere)])}
  ${choice('$1', nodes.map(flagCase))}
  return 1
}

# What is offered for an argument: of a place, by its number, after a word.
_syn_argument() {
  offers=()
  ${choice('"$1:$2:$3"', nodes.flatMap(argumentCases))}
}
`
}

function choice(word: string, cases: readonly string[]): string {
  return ['case ' + word + ' in', indented(indented(cases.filter(Boolean).join('\n'))), '  esac'].join('\n')
}

function quote(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function nodeCase({ path, subcommands, flags }: CommandNode, describe: Describe): string {
  const lists = [
    list(
      'subcommands=',
      subcommands.map(({ name, summary }) => describe(name, summary)),
    ),
    list('flags=', flagWords(flags, describe)),
  ].filter(Boolean)
  return lists.length === 0 ? '' : caseOf(quote(path), lists.join('\n'))
}

function flagWords(flags: readonly Flag[], describe: Describe): string[] {
  return flags.flatMap(({ names, help }) => names.map((name) => describe(name, help)))
}

function flagCase({ path, flags }: CommandNode): string {
  const cases = valueCases(flags)
  return cases === '' ? '' : caseOf(quote(path), `case $2 in\n${indented(cases)}\nesac`)
}

/** A case for all flags whose values are offered the same. */
function valueCases(flags: readonly Flag[]): string {
  const groups = groupBy(
    flags.filter(({ offers }) => offers !== undefined),
    ({ offers = [] }) => offerList(offers),
  )
  return groups
    .map(([offers, alike]) => caseOf(alternatives(alike.flatMap(({ names }) => names)), `${offers}return`))
    .join('\n')
}

function argumentCases({ path, arguments: rules }: CommandNode): string[] {
  return groupBy(rules, ({ offers }) => offerList(offers)).map(([offers, alike]) =>
    caseOf(alike.map((rule) => argumentPattern(path, rule)).join(' | '), offers.trim()),
  )
}

function argumentPattern(path: string, { position, before }: ArgumentRule): string {
  return `${quote(path)}:${position ?? '*'}:${before === undefined ? '*' : quote(before)}`
}

function offerList(offers: readonly Offer[]): string {
  return offers.length === 0 ? '' : `offers=(${offers.map(markOf).map(quote).join(' ')})\n`
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
  return wrap(patterns.map(quote), ' | ').join(' | \\\n  ')
}

function list(assignment: string, words: readonly string[]): string {
  const lines = wrap(words.map(quote), ' ')
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

/** Reads the words before the one to complete. Their text is compared and handed on, and never anything else. */
export const reader = `# Takes a word that stands before the one to complete.
_syn_read() {
  local word=$1
  if [[ -n $flag ]]; then
    _syn_ask "$flag" "$word"
    flag=''
  elif [[ -n $ended ]]; then
    return
  elif [[ $word == -- ]]; then
    ended=yes
  elif [[ $word == --*=* ]]; then
    _syn_ask "\${word%%=*}" "\${word#*=}"
  elif [[ $word == --* ]]; then
    if _syn_takes "$place" "$word"; then flag=$word; else _syn_ask "$word"; fi
  elif [[ $word == -?* ]]; then
    _syn_letters "\${word#-}"
  elif [[ $position == 0 ]] && _syn_leads "$place" "$word"; then
    place=\${place:+$place }$word
  else
    before=$word
    position=$((position + 1))
  fi
}

# Takes one-letter flags in one word: the first with a value takes the rest of it, or else the next word.
_syn_letters() {
  local letters=$1
  while [[ -n $letters ]]; do
    if _syn_takes "$place" "-\${letters:0:1}"; then
      [[ \${#letters} == 1 ]] && flag=-$letters
      return
    fi
    letters=\${letters:1}
  done
}

# Keeps what decides which names syn knows.
_syn_ask() {
  case $1 in
    ${decisiveFlags.join(' | ')}) asked+=("$1\${2+=$2}") ;;
  esac
}

# Asks syn, which makes no request for it.
_syn_names() {
  command syn completion "$1" \${asked[@]+"\${asked[@]}"} 2> /dev/null < /dev/null
}
`
