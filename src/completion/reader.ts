/** How the words of a line are read, in what bash and zsh have in common, by the functions of tables.ts. */

import { decisiveFlags } from './offers.ts'

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
