/** Names of paths and models typed in the chat, where no shell expands or unquotes them, and the candidates for them. */

import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Io } from '../io/io.ts'
import { statsOf } from '../io/files/stats.ts'
import type { Candidate } from '../terminal/line-editor/candidate-list.ts'
import type { ChatState } from './state.ts'
import { isAlias } from '../api/models.ts'
import { acceptingAnyModel } from '../fields/field.ts'
import { modelAliases } from '../fields/model-facts.ts'
import { parseFlag } from '../fields/parse.ts'
import { modelFacts } from '../models/view.ts'
import { matchModel } from '../models/lookup.ts'
import { currentModel, modelList } from './answer.ts'

/** Expands a leading `~/`. */
export function expandHome(path: string, { env }: Pick<Io, 'env'>): string {
  return /^~(\/|$)/.test(path) && env.HOME ? env.HOME + path.slice(1) : path
}

/** Removes the quotes and backslashes that terminals add to the path of a dropped file, as a shell does. */
export function unquoted(typed: string): string {
  return typed.replace(
    /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g,
    (_quoted, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  )
}

/** The path as typed or, if there is no such file, without quotes and backslashes, or of a file URL. */
export function existingPath(typed: string, io: Pick<Io, 'env'>): string {
  // WezTerm adds backslashes to spaces only.
  const escaped = typed.replace(/\\([^])/g, '$1')
  const paths = [typed, unquoted(typed), escaped, pathOfUrl(typed)].map((path) => expandHome(path, io))
  return paths.find((path) => statsOf(path)) ?? paths[0] ?? typed
}

/** The path of a file URL, which some terminals paste; the text itself if it is none. */
function pathOfUrl(typed: string): string {
  try {
    return /^file:/i.test(typed) ? fileURLToPath(typed) : typed
  } catch {
    return typed
  }
}

/** The directory of a path, and the dot before a hidden name. */
export const pathScope = /^(?:[^]*\/)?\.?/

/** What follows the scope in the paths that exist; directories end with a slash. Empty if the directory cannot be read. */
export async function completePath(scope: string, { context: { io } }: ChatState): Promise<Candidate[]> {
  const directory = scope.slice(0, scope.lastIndexOf('/') + 1)
  const dot = scope.slice(directory.length)
  const target = expandHome(directory === '' ? '.' : dirname(`${directory}.`), io)
  const entries = await readdir(target, { withFileTypes: true }).catch(() => [])
  return entries
    .filter(({ name }) => name.startsWith('.') === (dot !== ''))
    .map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .toSorted()
    .map((shown) => ({ text: shown.slice(dot.length), shown }))
}

/**
 * The only known model that the name is a part of, or the name itself.
 * @throws UsageError for an invalid name, or one of several models.
 */
export async function resolveModel(typed: string, command: string, chat: ChatState): Promise<string> {
  const { context, dialect } = chat
  const name = matchModel(typed, await modelList(chat), { where: command, catalog: context.catalog }) ?? typed
  const { fields } = dialect.operation
  const { model } = context.settings.anyModel ? acceptingAnyModel(fields) : fields
  if (model) await parseFlag(model, command, name, context.io)
  return name
}

/** The aliases, then the models of the service except those for embeddings. */
export async function completeModel(_scope: string, chat: ChatState): Promise<Candidate[]> {
  const { catalog } = chat.context
  const fetched = await catalog.modelsIfAvailable()
  const known = fetched.length > 0 ? fetched : catalog.cachedModels()
  const accepted = known.filter((one) => !one.isEmbedding && (isAlias(one) || catalog.accepts(one)))
  const current = await currentModel(chat, [], { info: () => Promise.resolve() }).catch(() => undefined)
  const named = new Map<string, string[]>(modelAliases.map((id) => [id, []]))
  for (const one of accepted) named.set(one.id, modelFacts(one))
  return [...named].map(([text, facts]) => ({
    text,
    help: [...(text === current ? ['current'] : []), ...facts].join(' · '),
  }))
}
