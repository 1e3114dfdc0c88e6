import { packageVersion } from '../src/io/process/package.ts'
import { registry } from '../src/cli/registry.ts'
import { commandPage, type PageText } from './command-page.ts'
import type { Edition } from './mdoc.ts'
import { programPage } from './program-page.ts'

/** The day of the last change to the text. Fixed, so that a page changes only with its text. */
const date = 'November 22, 2026'

/** All man pages by file name. */
export async function manPages(): Promise<Map<string, string>> {
  const edition: Edition = { date, version: packageVersion() }
  const pages = new Map([['syn.1', programPage(registry, edition)]])
  for (const { name, summary, load } of registry) {
    const { default: definition } = await load()
    const { default: text } = (await import(`./commands/${name}.ts`)) as { default: PageText }
    pages.set(`syn-${name}.1`, commandPage({ words: ['syn', name], summary, definition, ...text }, edition))
  }
  return pages
}
