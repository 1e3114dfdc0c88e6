import { basename } from 'node:path'
import { defineCommand, type AnyCommand, type CommandRow, type Example } from '../command.ts'
import { namesOf } from '../completion/names.ts'
import { type CommandLine, commandLineOf, isNameList, nameLists } from '../completion/command-line.ts'
import { isShell, shellNames, shells } from '../completion/shells.ts'
import { UsageError } from '../errors.ts'
import { choicesText } from '../fields/problem.ts'

const examples: readonly Example[] = [
  ['In bash: a line for ~/.bashrc', 'source <(syn completion bash)'],
  ['In zsh: a file in a folder of $fpath, where compinit finds it', 'syn completion zsh > "${fpath[1]}/_syn"'],
  ['In fish: a file in its folder of completions', 'syn completion fish > ~/.config/fish/completions/syn.fish'],
  ['In PowerShell: a line for $PROFILE', 'syn completion powershell | Out-String | Invoke-Expression'],
]

/** @param rows Rows of all commands, which each script contains. */
export function completionOf(rows: readonly CommandRow[]): AnyCommand {
  return defineCommand({
    description:
      'With the script loaded, TAB completes commands, flags and their values: choices, paths, profiles, conversations, and ' +
      'the models of the list that was fetched last. The script never runs what was typed, and sends no request: it has names from ' +
      `syn completion ${choicesText(nameLists, undefined)}. Make it anew after an update of syn.`,
    arguments: [{ name: 'shell', help: `One of ${shellNames.join(', ')}.`, choices: shellNames }],
    examples,

    async run(context) {
      const { words, io } = context
      const [word = ''] = words
      if (isNameList(word)) {
        const names = await namesOf(word, context)
        return io.out.write(names.map((name) => `${name}\n`).join(''))
      }
      if (!isShell(word)) throw unknownShell(word, io.env.SHELL)
      const [render, line] = await Promise.all([shells[word](), commandLine(rows)])
      await io.out.write(render(line))
    },
  })
}

async function commandLine(rows: readonly CommandRow[]): Promise<CommandLine> {
  const commands = rows.map(async ({ name, summary, load }) => ({ name, summary, definition: (await load()).default }))
  return commandLineOf(await Promise.all(commands))
}

function unknownShell(word: string, userShell: string | undefined): UsageError {
  const names = choicesText(shellNames, word)
  if (word !== '') return new UsageError(`unknown shell ${JSON.stringify(word)}; expected ${names}`)
  const shell = basename(userShell ?? '')
  const hint = isShell(shell) ? `your shell seems to be ${shell}: use syn completion ${shell}` : undefined
  return new UsageError(`no shell given; expected ${names}`, { hint })
}
