/** The script for zsh: a file of `$fpath`, or one to be sourced after compinit. */

import type { CommandLine } from './command-line.ts'
import { reader, tables } from './bash-and-zsh.ts'

export function zshScript(line: CommandLine): string {
  return [head, tables(line, describe), reader, engine].join('\n')
}

/** As _describe takes it. */
function describe(word: string, help: string): string {
  return `${word.replaceAll(':', String.raw`\:`)}:${help}`
}

const head = `#compdef syn
# Completes command lines of syn in zsh. Made by: syn completion zsh
# What was typed is compared and handed on as it stands; no part of it is ever expanded or run.
`

const engine = `# Paths, but not for a word in which zsh would run a command to learn where it leads.
_syn_paths() {
  [[ $PREFIX == *\\\`* || $PREFIX == *\\$*[\\(\\[\\{]* ]] && return 1
  _files
}

_syn_offer() {
  local offer ret=1
  local -a names
  for offer in $offers; do
    case $offer in
      '<path>') _syn_paths && ret=0 ;;
      '<@path>')
        if compset -P @; then
          _syn_paths && ret=0
        else
          compadd -S '' -V values -- @ && ret=0
        fi
        ;;
      '<'*'>')
        names=(\${(f)"$(_syn_names "\${offer//[<>]/}")"})
        compadd -V values -a names && ret=0
        ;;
      *:) compadd -S '' -V values -- $offer && ret=0 ;;
      *) compadd -V values -- $offer && ret=0 ;;
    esac
  done
  return ret
}

_syn() {
  local place='' flag='' before='' ended='' word ret=1
  local -i position=0
  local -a asked offers flags subcommands
  for word in "\${(@Q)words[2,CURRENT-1]}"; do _syn_read "$word"; done

  _syn_place "$place"
  if [[ -n $flag ]]; then
    _syn_takes "$place" "$flag" && _syn_offer
  elif [[ -n $ended ]]; then
    _syn_paths
  elif [[ $PREFIX == --*=* ]]; then
    _syn_takes "$place" "\${PREFIX%%=*}" && compset -P 1 '*=' && _syn_offer
  elif [[ $PREFIX == -* ]]; then
    _describe -o option flags
  else
    _syn_argument "$place" "$position" "$before"
    _syn_offer && ret=0
    if [[ $position == 0 && -n $subcommands ]]; then _describe command subcommands && ret=0; fi
    return ret
  fi
}

# As a file of $fpath this is called by its name; when it is sourced, it says what it completes.
if [[ $funcstack[1] == _syn ]]; then _syn "$@"; else compdef _syn syn; fi
`
