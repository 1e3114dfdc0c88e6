/** The names that are stored on this machine, without a request and without an error. */

import { isAlias, type Model } from '../api/models.ts'
import { type CommandContext, createContext } from '../context.ts'
import type { StoredName } from '../fields/field.ts'
import { modelAliases, specifiedEfforts } from '../fields/model-facts.ts'
import type { RawFlag } from '../fields/parse.ts'
import type { Io } from '../io/io.ts'
import type { Secrets } from '../io/secrets.ts'
import { settingSpecs } from '../settings/setting-specs.ts'

/** Names that always exist. */
const builtIn: Readonly<Partial<Record<StoredName, readonly string[]>>> = {
  'generating model': modelAliases,
  profile: [settingSpecs.profile.field.default],
  'reasoning effort': specifiedEfforts,
}

/** The names of a list, without those that a shell could interpret: a service must not inject anything into a command line. */
export async function nameCandidates(
  list: StoredName,
  typed: ReadonlyMap<string, RawFlag>,
  io: Io,
  secrets: Secrets,
): Promise<string[]> {
  const stored = async (): Promise<string[]> => {
    const context = await createContext({}, { words: [], argv: [], typed }, io, secrets)
    if (list === 'tool') return await namesOfTools(typed.get('toolsFile'), context)
    return await namesIn(list, context)
  }
  // Errors, such as a damaged file, cannot be shown during completion.
  const names = new Set([...(builtIn[list] ?? []), ...(await stored().catch(() => []))])
  return [...names].filter((name) => /^[\p{L}\p{N}][\p{L}\p{N}\w.:/+-]*$/u.test(name))
}

async function namesOfTools(file: RawFlag | undefined, { io }: CommandContext): Promise<string[]> {
  const { readToolsFile, toolNames } = await import('../tools/tools-file.ts')
  // Standard input is not the file yet.
  return file === '-' ? [] : toolNames(await readToolsFile(typeof file === 'string' ? file : undefined, io))
}

async function namesIn(list: Exclude<StoredName, 'tool'>, context: CommandContext): Promise<string[]> {
  const { catalog, settings } = context
  const idsOf = (isWanted: (model: Model) => boolean): string[] =>
    catalog.cachedModels().flatMap((model) => (isWanted(model) ? [model.id] : []))
  switch (list) {
    case 'generating model':
      return idsOf((one) => !one.isEmbedding && (isAlias(one) || catalog.accepts(one)))
    case 'embedding model':
      // Without aliases, which the flags do not take either.
      return idsOf((one) => one.isEmbedding && catalog.accepts(one))
    case 'reasoning effort':
      return catalog.cachedModels().flatMap(({ efforts = [] }) => efforts)
    case 'profile':
      return Object.keys(settings.document.profiles)
    case 'conversation': {
      const { openStore } = await import('../conversation/store.ts')
      return openStore(context, { notify: () => Promise.resolve() }).namesAndIds()
    }
  }
}
