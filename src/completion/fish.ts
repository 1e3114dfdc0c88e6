/** The script for fish, which wants a line for each thing that may be typed, with a condition. */

import {
  type ArgumentRule,
  type CommandLine,
  decisiveFlags,
  type Flag,
  type Offer,
  type CommandNode,
} from './command-line.ts'

export function fishScript({ nodes, everywhere }: CommandLine): string {
  const rows = nodes.flatMap((node) => ['', ...nodeRows(node)])
  return [
    head,
    takes(nodes, everywhere),
    leads(nodes),
    reader,
    'complete -c syn -f',
    "complete -c syn -n '__syn_read; test $__syn_ended = yes' -F",
    ...everywhere.map((flag) => flagRow(flag)),
    ...rows,
    '',
  ].join('\n')
}

const head = `# Completes command lines of syn in fish. Made by: syn completion fish
# What was typed is compared and handed on as it stands; no part of it is ever expanded or run.
`

const reader = `# Reads the words before the cursor: to which place they lead, and what else decides on completions.
function __syn_read
    set -g __syn_place ''
    set -g __syn_position 0
    set -g __syn_before ''
    set -g __syn_ended no
    set -g __syn_asked
    set -l flag ''
    for word in (commandline -opc)[2..]
        if test -n "$flag"
            __syn_ask "$flag" "$word"
            set flag ''
        else if test $__syn_ended = yes
            return
        else if test "$word" = --
            set __syn_ended yes
        else if string match -qr -- '^--[^=]+=' "$word"
            __syn_ask (string split -m 1 = -- "$word")
        else if string match -q -- '--*' "$word"
            __syn_takes "$word"; and set flag "$word"; or __syn_ask "$word"
        else if string match -q -- '-?*' "$word"
            set flag (__syn_letters (string split '' -- "$word")[2..])
        else if test $__syn_position = 0; and __syn_leads "$word"
            set __syn_place (string trim -- "$__syn_place $word")
        else
            set __syn_before "$word"
            set __syn_position (math $__syn_position + 1)
        end
    end
end

# Prints the flag that takes the next word, if the last of these letters is the first with a value.
function __syn_letters
    while set -q argv[1]
        if __syn_takes "-$argv[1]"
            set -q argv[2]; or echo -- "-$argv[1]"
            return
        end
        set -e argv[1]
    end
end

# Keeps what decides which names syn knows.
function __syn_ask -a flag
    contains -- "$flag" ${decisiveFlags.join(' ')}; and set -a __syn_asked (string join = -- $argv)
end

# Whether the words lead to this place; and there to this argument, after this word.
function __syn_at -a place position before
    __syn_read
    test $__syn_ended = no; and test "$__syn_place" = "$place"; or return 1
    set -q argv[2]; and test $__syn_position != $position; and return 1
    set -q argv[3]; and test "$__syn_before" != "$before"; and return 1
    return 0
end

# Asks syn, which makes no request for it.
function __syn_names -a list
    command syn completion $list $__syn_asked 2>/dev/null </dev/null | string replace -r '$' \\t
end

function __syn_paths_after_at
    set -l typed (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -ra '["\\'\\\\\\\\]' '')
    if not string match -q -- '@*' "$typed"
        echo @\\t
        return
    end
    set -l path (string sub -s 2 -- "$typed")
    for found in $path*
        test -d "$found"; and echo "@$found/"\\t; or echo "@$found"\\t
    end
end
`

/** Whether a flag takes the next word. */
function takes(nodes: readonly CommandNode[], everywhere: readonly Flag[]): string {
  const cases = nodes.flatMap(({ path, flags }) => {
    const names = namesWithValue(flags)
    return names.length === 0
      ? []
      : [`        case ${quote(path)}`, `            contains -- "$flag" ${names.join(' ')}`]
  })
  return `# Whether a flag takes the next word.
function __syn_takes -a flag
    contains -- "$flag" ${namesWithValue(everywhere).join(' ')}; and return
    switch "$__syn_place"
${cases.join('\n')}
        case '*'
            return 1
    end
end
`
}

function leads(nodes: readonly CommandNode[]): string {
  const pairs = nodes.flatMap(({ path, subcommands }) => subcommands.map(({ name }) => quote(`${path}:${name}`)))
  return `# Whether a word leads on from the place reached so far.
function __syn_leads -a word
    contains -- "$__syn_place:$word" ${pairs.join(' ')}
end
`
}

function namesWithValue(flags: readonly Flag[]): string[] {
  return flags.filter(({ offers }) => offers !== undefined).flatMap(({ names }) => names)
}

function nodeRows(node: CommandNode): string[] {
  const { path, subcommands, flags, arguments: rules } = node
  return [
    ...subcommands.map(
      ({ name, summary }) => `complete -c syn -n ${at(path, '0')} -a ${quote(name)} -d ${quote(summary)}`,
    ),
    ...rules.map((rule) => `complete -c syn -n ${argumentCondition(path, rule)}${values(rule.offers)}`),
    ...flags.map((flag) => flagRow(flag, at(path))),
  ]
}

function argumentCondition(path: string, { position, before }: ArgumentRule): string {
  if (position === undefined) return at(path)
  return before === undefined ? at(path, String(position)) : at(path, String(position), before)
}

function flagRow({ names, help, offers }: Flag, condition?: string): string {
  const options = names.map((name) => (name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`))
  const value = offers === undefined ? '' : ` -r${values(offers)}`
  return `complete -c syn${condition ? ` -n ${condition}` : ''}${options.join('')}${value} -d ${quote(help)}`
}

function at(...words: string[]): string {
  return quote(`__syn_at ${words.map(quote).join(' ')}`)
}

/** Words and commands that print words; or files. What follows a tab is shown beside a word: not the help of its flag. */
function values(offers: readonly Offer[]): string {
  const terms = offers.flatMap((offer) => {
    switch (offer.kind) {
      case 'word':
        return [String.raw`${offer.word}\t`]
      case 'names':
        return [`(__syn_names ${offer.list})`]
      case 'path after @':
        return ['(__syn_paths_after_at)']
      case 'path':
        return []
    }
  })
  const files = offers.some(({ kind }) => kind === 'path') ? ' -F' : ' -f'
  return terms.length === 0 ? files : `${files} -k -a '${terms.join(' ')}'`
}

function quote(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}
