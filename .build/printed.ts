/** What `bin/syn.cjs` prints without loading the program: the version, and help off a terminal. */

import type { AnyCommand } from '../src/command.ts'
import { commandHelp, programHelp, type HelpLayout } from '../src/cli/help.ts'
import { registry } from '../src/cli/registry.ts'
import { packageVersion } from '../src/io/package.ts'

/** Off a terminal, help is wrapped to this width. */
const width = 80

/** @returns the texts by their files below dist/, each named by the arguments that print it: `printed/chat/--help.txt`. */
export async function printedTexts(): Promise<Map<string, string>> {
  const version = `${packageVersion()}\n`
  const texts = new Map([
    [fileOf('-V'), version],
    [fileOf('--version'), version],
  ])
  addHelp('', (layout) => programHelp(registry, layout))
  for (const { name, summary, load } of registry) addCommand(name, summary, (await load()).default)
  return texts

  function addCommand(path: string, summary: string, definition: AnyCommand): void {
    addHelp(path, (layout) => commandHelp(`syn ${path}`, summary, definition, layout))
    for (const [name, subcommand] of Object.entries(definition.subcommands ?? {})) {
      addCommand(`${path} ${name}`, subcommand.summary, subcommand)
    }
  }

  function addHelp(path: string, textOf: (layout: HelpLayout) => string): void {
    texts.set(fileOf(`${path} -h`), textOf({ isBrief: true, width }))
    texts.set(fileOf(`${path} --help`), textOf({ isBrief: false, width }))
  }
}

function fileOf(line: string): string {
  return `printed/${line.trim().replaceAll(' ', '/')}.txt`
}
