/** The name lists for the completion scripts, made without a request and without an error. */

import { isAlias, type Model } from '../api/models.ts'
import { modelAliases } from '../fields/kinds.ts'
import type { Catalog } from '../models/catalog.ts'
import type { Settings } from '../settings/settings.ts'
import { settingsTable } from '../settings/rows.ts'
import type { StoreContext } from '../conversation/store.ts'
import type { NameList } from './command-line.ts'

interface Source {
  /** Names that always exist. */
  readonly builtIn: readonly string[]
  /** Names stored on this machine; may throw. */
  stored(context: Deps): Promise<string[]>
}

interface Deps extends StoreContext {
  readonly catalog: Catalog
  readonly settings: Settings
}

const sources: Readonly<Record<NameList, Source>> = {
  models: {
    builtIn: modelAliases,
    stored: ({ catalog }) =>
      idsOf(catalog, (model) => !model.isEmbedding && (isAlias(model) || catalog.accepts(model))),
  },
  'embedding-models': {
    builtIn: [],
    // Without aliases, which the flags do not take either.
    stored: ({ catalog }) => idsOf(catalog, (model) => model.isEmbedding && catalog.accepts(model)),
  },
  profiles: {
    builtIn: [settingsTable.profile.field.default],
    stored: async ({ settings }) => Object.keys(settings.document.profiles),
  },
  conversations: {
    builtIn: [],
    stored: async (context) => {
      const { ConversationStore, conversationStoreOptions } = await import('../conversation/store.ts')
      const silent = { ...conversationStoreOptions(context), notify: () => Promise.resolve() }
      return new ConversationStore(silent).namesAndIds()
    },
  },
}

/** The names of a list, without those that a shell could interpret: a service must not inject anything into a command line. */
export async function namesOf(list: NameList, deps: Deps): Promise<string[]> {
  const { builtIn, stored } = sources[list]
  // Errors, such as a damaged file, cannot be shown during completion.
  const names = [...builtIn, ...(await stored(deps).catch(() => []))]
  return [...new Set(names)].filter((name) => /^[\p{L}\p{N}][\p{L}\p{N}\w.:/+-]*$/u.test(name))
}

async function idsOf(catalog: Catalog, isWanted: (model: Model) => boolean): Promise<string[]> {
  return catalog
    .cachedModels()
    .filter(isWanted)
    .map(({ id }) => id)
}
