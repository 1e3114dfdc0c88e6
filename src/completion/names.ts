/** The names that are stored on this machine, without a request and without an error. */

import { isAlias, type Model } from '../api/models.ts'
import { type CommandContext, createContext } from '../context.ts'
import { modelAliases } from '../fields/kinds.ts'
import type { RawFlag } from '../fields/parse.ts'
import type { Io } from '../io/io.ts'
import type { Secrets } from '../io/secrets/secrets.ts'
import { settingsTable } from '../settings/rows.ts'
import type { NameList } from './candidates.ts'

/** Names that always exist. */
const builtIn: Readonly<Partial<Record<NameList, readonly string[]>>> = {
  models: modelAliases,
  profiles: [settingsTable.profile.field.default],
}

/**
 * The names of a list, without those that a shell could interpret: a service must not inject anything into a command line.
 * @param typed The flags that say which profile or service is meant.
 */
export async function storedNames(
  list: NameList,
  typed: ReadonlyMap<string, RawFlag>,
  io: Io,
  secrets: Secrets,
): Promise<string[]> {
  const stored = async (): Promise<string[]> => {
    const context = await createContext({}, { words: [], argv: [], typed }, io, secrets)
    try {
      return await namesIn(list, context)
    } finally {
      await context.client.close()
    }
  }
  // Errors, such as a damaged file, cannot be shown during completion.
  const names = new Set([...(builtIn[list] ?? []), ...(await stored().catch(() => []))])
  return [...names].filter((name) => /^[\p{L}\p{N}][\p{L}\p{N}\w.:/+-]*$/u.test(name))
}

async function namesIn(list: NameList, context: CommandContext): Promise<string[]> {
  const { catalog, settings } = context
  const idsOf = (isWanted: (model: Model) => boolean): string[] =>
    catalog.cachedModels().flatMap((model) => (isWanted(model) ? [model.id] : []))
  switch (list) {
    case 'models':
      return idsOf((model) => !model.isEmbedding && (isAlias(model) || catalog.accepts(model)))
    case 'embedding-models':
      // Without aliases, which the flags do not take either.
      return idsOf((model) => model.isEmbedding && catalog.accepts(model))
    case 'profiles':
      return Object.keys(settings.document.profiles)
    case 'conversations': {
      const { ConversationStore, conversationStoreOptions } = await import('../conversation/store.ts')
      const silent = { ...conversationStoreOptions(context), notify: () => Promise.resolve() }
      return new ConversationStore(silent).namesAndIds()
    }
  }
}
