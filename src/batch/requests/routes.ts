/** The operations that rows can ask for, and which flags of the run apply to each. */

import { embeddingsFields } from '../../api/embeddings/fields.ts'
import { chat } from '../../api/chat/operation.ts'
import { completions } from '../../api/completions/operation.ts'
import type { FamilyName } from '../../api/families.ts'
import { defaultMaxTokens } from '../../api/messages/fields.ts'
import { messages } from '../../api/messages/operation.ts'
import { operations } from '../../api/operations.ts'
import { acceptingAnyModel, type Field, type Fields } from '../../fields/field.ts'
import { checkKind } from '../../fields/parse.ts'
import type { Json, JsonObject } from '../../io/json/json.ts'
import type { RowRequest } from '../row.ts'

/** What is the same for all rows of an operation. */
export interface Route {
  readonly operation: RowRequest['operation']
  readonly fields: Fields
  /** The fields under each row's own, without those of the conversation and the model. */
  readonly defaults: JsonObject
  /** Names of the run's fields that such requests don't have: those that no notice has named yet. */
  readonly unsent: string[]
  /** The model of a row without one. */
  model(body: JsonObject): Json | undefined
}

/** The settings of the run that routes depend on. */
export interface RouteOptions {
  readonly api: FamilyName
  /** The fields of flags, `--body` and `--param`, without `messages`, `system` and `model`. */
  readonly defaults: JsonObject
  /** The system prompt of rows without one. */
  readonly system?: string | undefined
  /** The model of rows without one (default: the alias of their category). */
  readonly model?: Json | undefined
  /** The same for embeddings, which have no aliases. */
  readonly embeddingModel?: Json | undefined
  /** Whether the service accepts any name of a model. */
  readonly anyModel: boolean
}

const streaming = { chat, messages, completions } as const

export type RouteName = keyof typeof streaming | 'embeddings'

const routesOfPaths: Readonly<Record<string, RouteName>> = {
  '/v1/chat/completions': 'chat',
  '/v1/completions': 'completions',
  '/v1/embeddings': 'embeddings',
}

/** The paths of batch lines. */
export const routePaths = Object.keys(routesOfPaths)

/** @param path With or without the prefix of the family. */
export function routeOfPath(path: string): RouteName | undefined {
  const known = path.replace(/^\/openai(?=\/)/, '')
  return Object.hasOwn(routesOfPaths, known) ? routesOfPaths[known] : undefined
}

export function createRoute(name: RouteName, options: RouteOptions): Route {
  const { api, anyModel, model, embeddingModel, system } = options
  const isEmbedding = name === 'embeddings'
  const rows: Fields = isEmbedding ? embeddingsFields : streaming[name].fields
  const fields = anyModel ? acceptingAnyModel(rows) : rows
  const given = Object.entries(options.defaults)
  const sent = given.filter(([key, value]) => name === api || appliesTo(fields[key], value))
  const unsent = given.filter((entry) => !sent.includes(entry)).map(([key]) => key)
  if (system !== undefined && name !== 'chat' && name !== 'messages') unsent.push('system')
  const defaults = Object.fromEntries(sent)
  if (isEmbedding) return { fields, unsent, operation: operations.embeddings, defaults, model: () => embeddingModel }
  const operation = streaming[name]
  return {
    fields,
    unsent,
    operation,
    defaults: { ...(name === 'messages' && { max_tokens: defaultMaxTokens }), stream: true, ...defaults },
    model: (body) => model ?? operation.alias(body),
  }
}

/** Whether a field of one operation means the same in another. Documents differ. */
function appliesTo(row: Field | undefined, value: Json): boolean {
  return row !== undefined && !('shape' in row) && checkKind(row, value) === undefined
}
