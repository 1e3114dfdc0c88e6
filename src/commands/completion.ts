import { defineCommand } from '../command.ts'
import { shellNames, shells } from '../completion/shells.ts'
import { UsageError } from '../errors.ts'
import { choicesText } from '../fields/problem.ts'
import { writeText } from '../io/io.ts'
import { quote } from '../io/json/print.ts'
import { shownWord } from '../io/text/shell-word.ts'

export default defineCommand({
  description:
    'With the script loaded, TAB completes commands, flags, and values: choices, paths, profiles, conversations, and ' +
    'the models of the last list fetched. The script asks syn for them, which runs nothing that you typed and sends no ' +
    'request.',
  arguments: [{ name: 'shell', help: `Shell: ${shellNames.join(', ')}`, choices: shellNames }],
  examples: [
    ['bash: add this line to ~/.bashrc', 'source <(syn completion bash)'],
    ['zsh: add this line to ~/.zshrc, after compinit', 'source <(syn completion zsh)'],
    ['fish: write to the directory of completions', 'syn completion fish > ~/.config/fish/completions/syn.fish'],
  ],

  async run({ words, io }) {
    const [word = ''] = words
    const loadScript = Object.hasOwn(shells, word) ? shells[word] : undefined
    if (loadScript) return writeText(io.out, await loadScript())
    const problem = word === '' ? 'no shell given' : `unknown shell ${quote(shownWord(word))}`
    throw new UsageError(`${problem}; expected ${choicesText(shellNames, word)}`)
  },
})
