import { basename } from 'node:path'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { isShell, shellNames, shells } from '../completion/shells.ts'
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
    ['zsh: write to a directory of $fpath, before compinit runs', 'syn completion zsh > "${fpath[1]}/_syn"'],
    ['fish: write to the directory of completions', 'syn completion fish > ~/.config/fish/completions/syn.fish'],
  ],

  async run({ words, io }) {
    const [word = ''] = words
    if (!isShell(word)) throw unknownShell(word, io.env.SHELL)
    await writeText(io.out, await shells[word]())
  },
  subcommands: {
    install: {
      summary: 'Write the script where the shell looks for it',
      arguments: [{ name: 'shell', help: 'Shell (default: that of $SHELL)', choices: shellNames }],
      options: {
        yes: { kind: 'switch', short: 'y', everyday: true, help: 'Skip the confirmation' },
        uninstall: { kind: 'switch', everyday: true, help: 'Remove what was installed' },
      },
      examples: [
        ['Install for your shell', 'syn completion install'],
        ['Install for another one, without confirmation', 'syn completion install --yes fish'],
        ['Remove it', 'syn completion install --uninstall'],
      ],
      run: async (context: CommandContext) => (await import('../completion/install.ts')).install(context),
    },
  },
})

function unknownShell(word: string, userShell: string | undefined): UsageError {
  const names = choicesText(shellNames, word)
  if (word !== '') return new UsageError(`unknown shell ${quote(shownWord(word))}; expected ${names}`)
  const shell = basename(userShell ?? '')
  const hint = isShell(shell) ? `your shell seems to be ${shell}: use syn completion ${shell}` : undefined
  return new UsageError(`no shell given; expected ${names}`, { hint })
}
