import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const setUp = `In bash, add this line to ~/.bashrc:

  source <(syn completion bash)

In zsh, run this once. Any other directory of $fpath works too. The file must exist before compinit runs:

  syn completion zsh > "\${fpath[1]}/_syn"

In fish, run this once:

  syn completion fish > ~/.config/fish/completions/syn.fish

In PowerShell, add this line to $PROFILE:

  syn completion powershell | Out-String | Invoke-Expression`

const completed = `Values are completed after --flag and --flag=, after short flags in one word (-um), and after @ where a value may be a file. In zsh and fish each flag is shown with its help. Models are those of the --profile or --base-url on the command line; syn models refreshes the list.

The scripts never run or expand what was typed, and send no request. A name that has a meaning to a shell is left out.`

const text: PageText = {
  statuses: localStatuses,
  sections: [section('SET-UP', setUp), section('WHAT IS COMPLETED', completed)],
}

export default text
