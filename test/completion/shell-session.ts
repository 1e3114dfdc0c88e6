/** An interactive shell on a terminal, with the completion of syn set up as its users do. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { environment, synCommand } from '../helpers/program.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { onTerminal, type Screen } from '../helpers/terminal.ts'
import type { ShellName } from './shells.ts'

export interface ShellSession extends Disposable {
  readonly screen: Screen
  /** The line after a TAB. */
  complete(line: string): Promise<string>
  /** All candidates for a line, in the order of the shell. */
  listed(line: string): Promise<string[]>
}

interface Setup {
  readonly argv: readonly string[]
  /** Files below the home, which is also the working directory. */
  readonly files: (script: string, settings: string) => Readonly<Record<string, string>>
}

/** The keys that replace the word with all candidates. */
const insertAll = '\x18a'
/** The keys that print the line and clear it. Once it is printed, all keys before are processed. */
const showLine = '\x18s'

const setups: Readonly<Record<ShellName, Setup>> = {
  bash: {
    argv: ['--noprofile', '--rcfile', '.bashrc', '-i'],
    files: (_script, settings) => ({
      '.bashrc': `PS1='ready '
${settings}
show() { printf '\\nline <%s>\\n' "$READLINE_LINE"; READLINE_LINE='' READLINE_POINT=0; }
bind -x '"\\C-xs": show'
bind '"\\C-xa": insert-completions'
source <(syn completion bash)
`,
    }),
  },
  zsh: {
    argv: ['-d', '-i'],
    files: (script, settings) => ({
      'functions/_syn': script,
      '.zshrc': `PS1='ready '
fpath=(~/functions $fpath)
autoload -Uz compinit && compinit -u -D
${settings}
show() { zle -I; print -r -- "line <$BUFFER>"; BUFFER=''; }
zle -N show
bindkey '^Xs' show
# The default widget of TAB expands the word first, for every command.
bindkey '^I' complete-word
zle -C insert-all complete-word _generic
zstyle ':completion:insert-all:*' completer _all_matches _complete
zstyle ':completion:insert-all:*' insert yes
bindkey '^Xa' insert-all`,
    }),
  },
  fish: {
    argv: ['-i'],
    files: (script) => ({
      '.config/fish/completions/syn.fish': script,
      // Without this folder, fish makes completions of all man pages in the background, for seconds.
      '.local/share/fish/generated_completions/none.fish': '',
      '.config/fish/config.fish': `function fish_greeting; end
function fish_prompt; echo -n 'ready '; end
function show
    # Erases the list below the line, or it would be mixed with the output.
    printf '\\n\\e[Jline <%s>\\n' (commandline | string collect)
    commandline ''
    commandline -f repaint
end
bind \\cxs show
bind \\cxa 'commandline (commandline | string replace -r "[^ ]*\\$" "")(complete -C (commandline -c) | string replace -r "\\t.*" "" | string join " ")'
`,
    }),
  },
}

interface SessionOptions {
  /** More lines for the shell's startup file. */
  readonly settings?: string
}

/** @param home With the program's files; the shell's own files are added. */
export async function startShell(
  name: ShellName,
  home: string,
  { settings = '' }: SessionOptions = {},
): Promise<ShellSession> {
  const { argv, files } = setups[name]
  const script = (await runSyn(['completion', name])).out
  const own = environment()
  const syn = `#!/bin/sh\nexec ${synCommand} "$@"\n`
  for (const [path, text] of Object.entries({ ...files(script, settings), 'bin/syn': syn })) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text, { mode: 0o755 })
  }
  const env = { ...own, HOME: home, PATH: `${join(home, 'bin')}:${own.PATH}`, ZDOTDIR: home }
  const screen = onTerminal(name, [...argv], env, { columns: 400, folder: home, scrollback: 30 })
  await screen.until((lines) => lines.some((line) => line.startsWith('ready')))

  const read = async (keys: string): Promise<string> => {
    const before = screen.written().length
    screen.type(keys + showLine)
    // Up to the next prompt: before that, the terminal itself takes control characters.
    const shown = (): string | undefined => /line <([^]*?)>\r?\n[^]*ready/.exec(screen.written().slice(before))?.[1]
    await screen.until(() => shown() !== undefined)
    return (shown() ?? '').replaceAll('\r\n', '\n')
  }
  // A shell that failed to start fails here once, rather than in each test.
  await read('')
  return {
    screen,
    complete: (line) => read(`${line}\t`),
    listed: async (line) => {
      const whole = await read(line + insertAll)
      return whole
        .slice(line.lastIndexOf(' ') + 1)
        .trim()
        .split(/ +/)
    },
    [Symbol.dispose]: () => screen.close(),
  }
}
