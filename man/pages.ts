import { packageVersion } from '../src/io/process/package.ts'
import { type CommandName, registry } from '../src/cli/registry.ts'
import { commandPage, type PageText } from './command-page.ts'
import batch from './commands/batch.ts'
import chat from './commands/chat.ts'
import complete from './commands/complete.ts'
import completion from './commands/completion.ts'
import config from './commands/config.ts'
import countTokens from './commands/count-tokens.ts'
import embed from './commands/embed.ts'
import login from './commands/login.ts'
import logout from './commands/logout.ts'
import messages from './commands/messages.ts'
import models from './commands/models.ts'
import quota from './commands/quota.ts'
import sandbox from './commands/sandbox.ts'
import search from './commands/search.ts'
import sessions from './commands/sessions.ts'
import type { Edition } from './mdoc.ts'
import { programPage } from './program-page.ts'

/** The day of the last change to the text. Fixed, so that a page changes only with its text. */
const date = 'November 22, 2026'

const texts: Readonly<Record<CommandName, PageText>> = {
  chat,
  messages,
  complete,
  embed,
  batch,
  'count-tokens': countTokens,
  quota,
  models,
  search,
  sessions,
  login,
  logout,
  config,
  completion,
  sandbox,
}

/** All man pages by file name. */
export async function manPages(): Promise<Map<string, string>> {
  const edition: Edition = { date, version: packageVersion() }
  const pages = new Map([['syn.1', programPage(registry, edition)]])
  for (const { name, summary, load } of registry) {
    const { default: definition } = await load()
    pages.set(`syn-${name}.1`, commandPage({ words: ['syn', name], summary, definition, ...texts[name] }, edition))
  }
  return pages
}
