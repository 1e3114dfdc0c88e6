import { basename } from 'node:path'
import { defineCommand, type AnyCommand, type CommandRow, type Example } from '../command.ts'
import { namesOf } from '../completion/names.ts'
import { type CommandLine, commandLineOf, isNameList, nameLists, withHelpCommand } from '../completion/command-line.ts'
import { isShell, shellNames, shells } from '../completion/shells.ts'
import { UsageError } from '../errors.ts'
import { choicesText } from '../fields/problem.ts'
import { writeText } from '../io/io.ts'
import { quote } from '../io/json.ts'
import { shownWord, typedLine } from '../io/shell-word.ts'

const examples: readonly Example[] = [
  ['bash: add this line to ~/.bashrc', 'source <(syn completion bash)'],
  ['zsh: write to a directory of $fpath, before compinit runs', 'syn completion zsh > "${fpath[1]}/_syn"'],
  ['fish: write to the directory of completions', 'syn completion fish > ~/.config/fish/completions/syn.fish'],
  ['PowerShell: add this line to $PROFILE', 'syn completion powershell | Out-String | Invoke-Expression'],
]

/** @param rows Rows of all commands, which each script contains. */
export function completionOf(rows: readonly CommandRow[]): AnyCommand {
  return defineCommand({
    description:
      'With the script loaded, TAB completes commands, flags, and values: choices, paths, profiles, conversations, and ' +
      'the models of the last list fetched. The script never runs what you typed and never sends a request; it gets names ' +
      `from syn completion ${choicesText(nameLists, undefined)}. Generate it again after each update of syn.`,
    arguments: [{ name: 'shell', help: `Shell: ${shellNames.join(', ')}`, choices: shellNames }],
    examples,

    async run(context) {
      const { words, io } = context
      const [word = ''] = words
      if (isNameList(word)) {
        const names = await namesOf(word, context)
        return writeText(io.out, names.map((name) => `${name}\n`).join(''))
      }
      if (!isShell(word)) throw unknownShell(word, io.env.SHELL)
      const [render, line] = await Promise.all([shells[word](), commandLine(rows)])
      await writeText(io.out, render(line))
    },
  })
}

async function commandLine(rows: readonly CommandRow[]): Promise<CommandLine> {
  const commands = rows.map(async ({ name, summary, load }) => ({ name, summary, definition: (await load()).default }))
  return withHelpCommand(commandLineOf(await Promise.all(commands)))
}

function unknownShell(word: string, userShell: string | undefined): UsageError {
  const names = choicesText(shellNames, word)
  if (word !== '') {
    const hint = `to continue a text, use ${typedLine(['syn', 'complete', word])}`
    return new UsageError(`unknown shell ${quote(shownWord(word))}; expected ${names}`, /\s/.test(word) ? { hint } : {})
  }
  const shell = basename(userShell ?? '')
  const hint = isShell(shell) ? `your shell seems to be ${shell}: use syn completion ${shell}` : undefined
  return new UsageError(`no shell given; expected ${names}`, { hint })
}
