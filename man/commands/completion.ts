import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const setUp = `In bash, add this line to ~/.bashrc; in zsh, to ~/.zshrc, behind compinit:

  source <(syn completion bash)
  source <(syn completion zsh)

A file starts faster. In zsh, any directory of $fpath works, and the file must exist before compinit runs; after an update of syn, write it again:

  syn completion zsh > "\${fpath[1]}/_syn"
  syn completion fish > ~/.config/fish/completions/syn.fish`

const completed = `Values are completed after --flag and --flag=, after short flags in one word (-um), and after @ where a value may be a file. In zsh and fish each flag is shown with its help. Models are those of the --profile or --base-url on the command line; syn models refreshes the list.

The scripts never run or expand what was typed, and send no request. A name that has a meaning to a shell is left out.`

const text: PageText = {
  statuses: localStatuses,
  sections: [section('SET-UP', setUp), section('WHAT IS COMPLETED', completed)],
}

export default text
