import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'
import { definitions, section } from '../mdoc.ts'

const shells = {
  bash: 'Add this line to ~/.bashrc: source <(syn completion bash)',
  zsh:
    'Run once: syn completion zsh > "${fpath[1]}/_syn", or write to another directory of $fpath. This must happen before ' +
    'compinit runs.',
  fish: 'Run once: syn completion fish > ~/.config/fish/completions/syn.fish',
  PowerShell: 'Add this line to $PROFILE: syn completion powershell | Out-String | Invoke-Expression',
}

const completed = `Values are completed after --flag and --flag=, after short flags in one word (-um), and after @ where a value may be a file. Models and conversations are those of the --profile or --base-url on the line. syn models refreshes the list of models.

In zsh, syn chat --re and two tabs:

  # syn chat --reasoning
  --reasoning         -- Show the reasoning on standard error
  --reasoning-effort  -- How much a thinking model thinks
  --response-format   -- Format of the answer
  --retries           -- Number of retries (default: 3)

The scripts never run or expand what was typed. A name that has a meaning to a shell is left out.`

const text: PageText = {
  statuses: localStatuses,
  sections: [section('SET-UP', definitions('Li', shells)), section('WHAT IS COMPLETED', completed)],
}

export default text
