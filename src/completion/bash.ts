/** The script for bash. It does without the package bash-completion. */

import type { CommandLine } from './command-line.ts'
import { reader, tables } from './bash-and-zsh.ts'

export function bashScript(line: CommandLine): string {
  return [head, tables(line, (word) => word), reader, engine].join('\n')
}

const head = `# Completes command lines of syn in bash. Made by: syn completion bash
# What was typed is compared and handed on as it stands; no part of it is ever expanded or run.
`

const engine = `# Parts the line up to the cursor into the words that syn would get: bash parts it at colons and equals signs too.
_syn_words() {
  local rest=\${COMP_LINE:0:COMP_POINT} begun word last index
  words=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    begun=\${rest#"\${rest%%[![:space:]]*}"}
    word=\${COMP_WORDS[index]}
    if ((index == COMP_CWORD)); then word=$begun; fi
    last=$((\${#words[@]} - 1))
    if ((last > 0)) && [[ $rest == "$begun" && $word\${words[last]} != *[\\<\\>]* ]]; then
      words[last]+=$word
    else
      words+=("$word")
    fi
    rest=\${begun#"$word"}
  done
}

# Offers a value. Bash replaces only the end of the word, from its last colon or equals sign on.
_syn_reply() {
  local whole=\${current%"$value"}$1
  COMPREPLY+=("\${whole#"$kept"}")
}

_syn_reply_words() {
  local word
  for word; do
    if [[ -n $word && $word == "$value"* ]]; then _syn_reply "$word"; fi
  done
}

_syn_reply_names() {
  local name
  while IFS= read -r name; do _syn_reply_words "$name"; done <<< "$(_syn_names "$1")"
}

# Inside of quotes bash quotes a path as it should; outside it would escape the @ as well.
_syn_reply_paths() {
  local path
  if [[ $raw == *[\\"\\']* ]]; then compopt -o filenames 2> /dev/null; fi
  while IFS= read -r path; do
    if [[ -z $path ]]; then continue; fi
    if [[ -d $path ]]; then path+=/; fi
    if [[ $raw != *[\\"\\']* ]]; then printf -v path %q "$path"; fi
    _syn_reply "@$path"
  done <<< "$(compgen -f -- "\${value#@}")"
}

_syn_offer() {
  local offer
  for offer in \${offers[@]+"\${offers[@]}"}; do
    case $offer in
      '<path>') compopt -o default 2> /dev/null ;;
      '<@path>') if [[ $value == @* ]]; then _syn_reply_paths; else _syn_reply_words @; fi ;;
      '<'*'>') _syn_reply_names "\${offer//[<>]/}" ;;
      *) _syn_reply_words "$offer" ;;
    esac
  done
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *[@:/] ]]; then compopt -o nospace 2> /dev/null; fi
}

_syn() {
  local IFS=$' \\t\\n' place='' flag='' before='' position=0 ended='' redirected='' index word
  local -a words asked=() offers=() flags=() subcommands=()
  COMPREPLY=()
  _syn_words
  for ((index = 1; index < \${#words[@]} - 1; index++)); do
    word=\${words[index]}
    if [[ $word == [\\<\\>]* ]]; then
      redirected=yes
    elif [[ -n $redirected ]]; then
      redirected=''
    else
      _syn_read "\${word//[\\"\\'\\\\]/}"
    fi
  done

  local raw=\${words[index]} current typed
  current=\${raw//[\\"\\'\\\\]/} typed=\${2//[\\"\\'\\\\]/}
  if [[ $current != *"$typed" ]]; then return; fi
  local value=$current kept=\${current%"$typed"}
  _syn_place "$place"
  if [[ -n $redirected || (-n $ended && -z $flag) ]]; then
    offers=('<path>')
  elif [[ -n $flag ]]; then
    _syn_takes "$place" "$flag"
  elif [[ $current == --*=* ]]; then
    value=\${current#*=}
    _syn_takes "$place" "\${current%%=*}"
  elif [[ $current == -* ]]; then
    offers=("\${flags[@]}")
  else
    _syn_argument "$place" "$position" "$before"
    if ((position == 0)); then offers+=(\${subcommands[@]+"\${subcommands[@]}"}); fi
  fi
  _syn_offer
}

complete -o nosort -F _syn syn 2> /dev/null || complete -F _syn syn
`
