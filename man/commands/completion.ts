import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'
import { definitions, section } from '../mdoc.ts'

const setUp = `syn completion install writes the script where your shell looks for it; syn completion install fish does it for another shell than that of $SHELL. It says what it will write, and asks. Off a terminal it says that, too, but writes only with --yes, and ends with status 2 without. A new shell has the completion. After an update of syn, run it again: a script that is current is not written again. A file without the line that every script of syn has at its start, and a symbolic link, are neither replaced nor removed.

  $ syn completion install fish --yes
  syn: this will write ~/.config/fish/completions/syn.fish
  syn: installed for fish: it works in a new shell
  $ syn completion install fish --yes --uninstall
  syn: this will remove ~/.config/fish/completions/syn.fish
  syn: removed for fish

bash looks there only with the package bash-completion, version 2 or newer; its version 2.11 does not if the path has a space. Without it, add this line to ~/.bashrc instead:

  source <(syn completion bash)

zsh has no such place, so a line at the end of .zshrc loads the script, and runs compinit if nothing has. Nothing else in the file is changed, a symbolic link stays one, and --uninstall removes the line. To set zsh up by hand instead, run this once. Any other directory of $fpath works too. The file must exist before compinit runs:

  syn completion zsh > "\${fpath[1]}/_syn"

In fish, this does the same as syn completion install:

  syn completion fish > ~/.config/fish/completions/syn.fish`

const places = {
  '~/.local/share/bash-completion/completions/syn':
    'The script for bash; below the first directory of $BASH_COMPLETION_USER_DIR or $XDG_DATA_HOME, if they are exported.',
  '~/.local/share/zsh/site-functions/_syn': 'The script for zsh; below $XDG_DATA_HOME if that is exported.',
  '~/.zshrc': 'The line that loads the script for zsh; in $ZDOTDIR if that is exported.',
  '~/.config/fish/completions/syn.fish': 'The script for fish; below $XDG_CONFIG_HOME if that is exported.',
}

const completed = `Values are completed after --flag and --flag=, after short flags in one word (-um), and after @ where a value may be a file. In zsh and fish each flag is shown with its help. Models are those of the --profile or --base-url on the command line; syn models refreshes the list.

The scripts never run or expand what was typed, and send no request. A name that has a meaning to a shell is left out.`

const text: PageText = {
  statuses: localStatuses,
  sections: [
    section('SET-UP', setUp),
    section('WHAT IS COMPLETED', completed),
    section('STORED FILES', definitions('Pa', places)),
  ],
}

export default text
