/** The lists that the scripts ask the program for: without a request, and without an error. */

import type { Model } from '../api/models.ts'
import { isModelName, modelAliases } from '../fields/kinds.ts'
import type { Catalog } from '../models/catalog.ts'
import type { Settings } from '../settings/settings.ts'
import { settingsTable } from '../settings/rows.ts'
import type { StoreContext } from '../conversation/store.ts'
import type { NameList } from './command-line.ts'

interface Source {
  /** Names that are always there. */
  readonly certain: readonly string[]
  /** Those stored on this machine; may throw. */
  stored(context: Deps): Promise<string[]>
}

interface Deps extends StoreContext {
  readonly catalog: Catalog
  readonly settings: Settings
}

const sources: Readonly<Record<NameList, Source>> = {
  models: {
    certain: modelAliases,
    stored: ({ catalog }) => idsOf(catalog, ({ isEmbedding }) => !isEmbedding),
  },
  'embedding-models': {
    certain: [],
    // As flags take them: without aliases.
    stored: ({ catalog }) => idsOf(catalog, ({ id, isEmbedding }) => isEmbedding && id.startsWith('hf:')),
  },
  profiles: {
    certain: [settingsTable.profile.field.default],
    stored: async ({ settings }) => Object.keys(settings.document.profiles),
  },
  conversations: {
    certain: [],
    stored: async (context) => {
      const { ConversationStore, conversationStoreOptions } = await import('../conversation/store.ts')
      const silent = { ...conversationStoreOptions(context), notify: () => Promise.resolve() }
      const store = new ConversationStore(silent)
      return [...(await store.names()), ...store.ids()]
    },
  },
}

/**
 * What stands in a list, as far as it is fit to stand on a command line of any shell: a service that lists its models
 * must not get anything else in there.
 */
export async function namesOf(list: NameList, deps: Deps): Promise<string[]> {
  const { certain, stored } = sources[list]
  // Whoever presses TAB can't be told what is wrong with a file.
  const names = [...certain, ...(await stored(deps).catch(() => []))]
  return [...new Set(names)].filter((name) => /^[\p{L}\p{N}][\p{L}\p{N}\w.:/+-]*$/u.test(name))
}

async function idsOf(catalog: Catalog, isWanted: (model: Model) => boolean): Promise<string[]> {
  const models = (await catalog.cachedModels()).filter(isWanted)
  return models.map(({ id }) => id).filter(isModelName)
}
