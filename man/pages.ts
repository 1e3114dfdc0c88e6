import { packageVersion } from '../src/io/package.ts'
import { registry } from '../src/cli/registry.ts'
import { chatKeys } from './chat-keys.ts'
import { commandPage } from './command-page.ts'
import { conversationFiles } from './conversation-files.ts'
import type { Edition, Section } from './mdoc.ts'
import { programPage } from './program-page.ts'
import { environment, files } from './surroundings.ts'

/** The day the text was last thought over; a page that changed by itself every day could not be compared. */
const date = 'November 21, 2026'

/** Sections that only one command's page has. */
const own: Readonly<Record<string, readonly Section[]>> = { chat: [chatKeys()], sessions: conversationFiles() }

/** All man pages by file name. */
export async function manPages(): Promise<Map<string, string>> {
  const edition: Edition = { date, version: packageVersion() }
  const commands = registry.map(({ name, summary }) => ({ name, help: summary }))
  const program = programPage({ commands, environment: environment(), files: files() }, edition)
  const pages = new Map([['syn.1', program]])
  for (const { name, summary, load } of registry) {
    const { default: definition } = await load()
    pages.set(
      `syn-${name}.1`,
      commandPage({ words: ['syn', name], summary, definition, more: own[name] ?? [] }, edition),
    )
  }
  return pages
}
