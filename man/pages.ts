import { packageVersion } from '../src/io/package.ts'
import { registry } from '../src/registry.ts'
import { commandPage, type Edition } from './mdoc.ts'
import { programPage } from './program-page.ts'
import { environment, files } from './surroundings.ts'

/** The day the text was last thought over; a page that changed by itself every day could not be compared. */
const date = 'November 20, 2026'

/** All man pages by file name. */
export async function manPages(): Promise<Map<string, string>> {
  const edition: Edition = { date, version: packageVersion() }
  const commands = await Promise.all(
    registry.map(async ({ name, summary, load }) => ({ name, help: summary, definition: (await load()).default })),
  )
  const examples = commands.flatMap(({ definition }) => definition.examples.slice(0, 1))
  const program = { commands, environment: environment(), files: files(), examples }
  const pages = new Map([['syn.1', programPage(program, edition)]])
  for (const { name, help, definition } of commands) {
    pages.set(`syn-${name}.1`, commandPage(['syn', name], help, definition, edition))
  }
  return pages
}
