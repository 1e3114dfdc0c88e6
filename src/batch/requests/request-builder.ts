/** Makes the requests of records. Runs twice for each of up to millions of rows: what is the same for all is computed once. */

import { plainNumbers } from '../../fields/numbers.ts'
import { completions } from '../../api/completions/operation.ts'
import { embeddingsFields } from '../../api/embeddings/fields.ts'
import { dialects, type DialectName } from '../../api/dialects.ts'
import { defaultMaxTokens } from '../../api/messages/fields.ts'
import type { Model } from '../../api/models.ts'
import { operations } from '../../api/operations.ts'
import { requestFields, requestVariants } from '../../api/api-option.ts'
import { UsageError, withHint } from '../../errors.ts'
import { acceptingAnyModel, type Field, type Fields } from '../../fields/field.ts'
import { suggestion } from '../../fields/suggestion.ts'
import { checkBody, checkKind, missingField } from '../../fields/parse.ts'
import { cannotBeCombined, choicesText, invalidValue, type Problem } from '../../fields/problem.ts'
import { isObject, type Json, type JsonObject } from '../../io/json/json.ts'
import { quote } from '../../io/json/print.ts'
import { customIdOf, type IdKey } from '../input/custom-id.ts'
import type { BatchInputFormat } from '../input/format.ts'
import { type InputRecord, isTable } from '../../input/records.ts'
import type { RowRequest } from '../row.ts'
import { sha256 } from '../sha256.ts'
import type { Template } from '../../input/template.ts'
import { tokenLimitOf } from '../../models/token-estimate.ts'

export interface BuilderOptions {
  readonly api: DialectName
  /** The fields of flags, `--body` and `--param`, without `messages`, `system` and `model`. */
  readonly defaults: JsonObject
  /** The system prompt of rows without one. */
  readonly system?: string | undefined
  /** The model of rows without one (default: the alias of their category). */
  readonly model?: Json | undefined
  /** The list that says which of these take images. */
  readonly models: readonly Model[]
  /** The same for embeddings, which have no aliases. */
  readonly embeddingModel?: Json | undefined
  /** Whether the service accepts any name of a model. */
  readonly anyModel: boolean
  readonly format: BatchInputFormat
  /** The document, for errors. */
  readonly where: string
  /** Whose answers they are. */
  readonly baseUrl: string
  readonly idKey: IdKey
  /** Chat messages before the prompt of rows without their own. */
  readonly messages?: readonly Json[] | undefined
  readonly template?: Template | undefined
  /** Prints a notice. Each comes once in a run. */
  notify(text: string): Promise<void> | void
}

export interface RequestBuilder {
  /**
   * The request of a record, of which only what is needed to make it is checked.
   * @param model Of several. @throws UsageError naming the line, if there is none.
   */
  build(record: InputRecord, model?: Json): RowRequest
  /**
   * Checks all that the record itself gives. Prints notices about fields that are not known or not sent.
   * @returns `undefined` if there is nothing to check; else resolves when it is checked.
   * @throws UsageError, then or when called, naming the line and the JSON path.
   */
  check(request: RowRequest): Promise<void> | undefined
}

/** @throws UsageError for a format that cannot do without a template, or with one. */
export function createRequestBuilder(options: BuilderOptions): RequestBuilder {
  const { format, template, where } = options
  if (format === 'openai' || format === 'anthropic') {
    if (template) throw cannotBeCombined(['--template', `--input-format ${format}`])
    return createLineRequests(options, format === 'openai' ? 'body' : 'params')
  }
  if (isTable(format) && !template) {
    throw new UsageError(`${where}: a table needs a template for the prompts`, {
      hint: "use -t, for example -t 'Sentiment of: {{text}}'",
    })
  }
  return createPromptRequests(options)
}

/** The most keys that there are notices about: of a million records, each may have others. */
const maxKeys = 1000

/** What the requests of all formats share. */
function createCommon({ where, baseUrl, idKey, notify }: BuilderOptions) {
  const keys = new Set<string>()

  function isNew(key: string): boolean {
    if (keys.has(key) || keys.size >= maxKeys) return false
    keys.add(key)
    return true
  }

  /** @param similar What the key may be a misspelling of. */
  async function notifyUnknown(record: InputRecord, key: string, similar: string, outcome: string): Promise<void> {
    await notify(`${at(record)}: unknown field ${quote(key)}${similar}; ${outcome}`)
  }

  function at({ line }: InputRecord): string {
    return `${where}, line ${line}`
  }

  /** The error for a part of a record. */
  function wrong(record: InputRecord, path: Problem['path'], value: Json | undefined, expected: string): UsageError {
    if (value !== undefined) return invalidValue(at(record), { path, found: quote(value), expected })
    return invalidValue(at(record), { path, found: 'missing', expected: `expected ${expected}` })
  }

  /**
   * @param fields All fields but the model of the run.
   * @param own What the record gives of them. @param path Where in it.
   */
  function request(
    record: InputRecord,
    { operation, model: routeModel }: Route,
    fields: JsonObject,
    own: JsonObject = {},
    path: Problem['path'] = [],
    given?: Json,
  ): RowRequest {
    const hasOwnModel = own.model !== undefined
    if (hasOwnModel && given !== undefined)
      throw new UsageError(`${at(record)}: a row with its own model; -m has several`)
    const modelOf: Route['model'] = given === undefined ? routeModel : () => given
    const model = hasOwnModel ? own.model : modelOf(fields)
    if (model === undefined) throw wrong(record, [...path, 'model'], undefined, 'the name of a model')
    const body = { model, ...fields }
    return {
      record,
      customId: customIdOf(record, where, idKey),
      operation,
      body,
      // Only when it is needed: the first pass over the input of a new run needs none.
      get hash() {
        // The alias of a row depends on the list of models, which may be another one in the next run.
        const named: JsonObject = hasOwnModel ? body : { ...body, model: modelOf(fields, []) ?? model }
        const { stream: _stream, stream_options: _options, ...content } = named
        const { max_tokens: _limit, max_completion_tokens: _otherLimit, ...others } = content
        // Another limit makes another completion, which has no other end.
        const hashed = 'endsAtLimit' in operation ? content : others
        return sha256(`${baseUrl}${operation.path}\n${JSON.stringify(withSortedKeys(hashed))}`).slice(0, 32)
      },
      get limit() {
        return tokenLimitOf(body)
      },
      hasOwnModel,
    }
  }

  return { at, wrong, request, isNew, notifyUnknown }
}

/** Requests of batch lines, whose bodies are sent as they are. @param bodyKey The key of a line that holds the body. */
function createLineRequests(options: BuilderOptions, bodyKey: 'body' | 'params'): RequestBuilder {
  const { at, wrong, request, isNew, notifyUnknown } = createCommon(options)
  const routes: { [Name in RouteName]?: Route } = {}

  function build(record: InputRecord): RowRequest {
    const { value } = record
    if (!isObject(value)) throw wrong(record, [], value, 'an object')
    const body = value[bodyKey]
    if (!isObject(body)) throw wrong(record, [bodyKey], body, 'an object')
    const route = routeOf(record, value)
    const fields = withSystem({ ...route.defaults, ...body }, route)
    return request(record, route, fields, body, [bodyKey])
  }

  async function check({ record, body }: RowRequest): Promise<void> {
    const line = record.value as JsonObject
    const own = line[bodyKey] as JsonObject
    const route = routeOf(record, line)
    const missing = missingField(route.fields, body)
    if (missing !== undefined) throw wrong(record, [bodyKey, missing], undefined, 'a value')
    const problem = await checkBody(route.fields, own)
    if (problem) {
      const error = invalidValue(at(record), { ...problem, path: [bodyKey, ...problem.path] })
      // Lines written for another service name its models, which no flag overrides.
      const hint = `to send all lines to one model: jq -c '.${bodyKey}.model = "syn:large:text"' INPUT`
      throw problem.path[0] === 'model' ? withHint(error, hint) : error
    }
    const { path } = route.operation
    for (const name of route.unsent.splice(0)) {
      await options.notify(`${name} is not sent to ${path}, which has no such field`)
    }
    for (const key of Object.keys(own)) {
      if (Object.hasOwn(route.fields, key) || !isNew(key)) continue
      await notifyUnknown(record, key, suggestion(key, Object.keys(route.fields)), 'sending it anyway')
    }
  }

  /** @throws UsageError for a line that is not to be sent to one of the known paths. */
  function routeOf(record: InputRecord, line: JsonObject): Route {
    const name = bodyKey === 'params' ? 'messages' : routeName(record, line)
    return (routes[name] ??= createRoute(name, options))
  }

  function routeName(record: InputRecord, { method, url }: JsonObject): RouteName {
    if (method !== undefined && method !== 'POST') throw wrong(record, ['method'], method, '"POST"')
    // The path may have the prefix of the dialect.
    const path = typeof url === 'string' ? url.replace(/^\/openai(?=\/)/, '') : ''
    const name = Object.hasOwn(routesOfPaths, path) ? routesOfPaths[path] : undefined
    if (name !== undefined) return name
    throw wrong(record, ['url'], url, choicesText(Object.keys(routesOfPaths), url))
  }

  /** A body with its own system prompt keeps it. */
  function withSystem(body: JsonObject, { operation }: Route): JsonObject {
    const { system } = options
    if (system === undefined) return body
    if (operation.path === dialects.messages.operation.path) return { system, ...body }
    const { messages } = body
    if (operation.path !== dialects.chat.operation.path || !Array.isArray(messages)) return body
    return messages.some(isInstruction) ? body : { ...body, messages: [systemMessage(system), ...messages] }
  }

  return { build, check }
}

/** Keys of records that hold no field of the request, and are no typos of one. */
const ownKeys = ['prompt', 'messages', 'system', 'custom_id']

/** Requests of prompts: those of a template, of plain lines, and of JSON values with `prompt` or `messages`. */
function createPromptRequests(options: BuilderOptions): RequestBuilder {
  const { at, wrong, request, isNew, notifyUnknown } = createCommon(options)
  const { api, anyModel, template, where } = options
  const dialect = dialects[api]
  const route = createRoute(api, options)
  const specs: Fields = requestVariants.variants[api]
  /** The rows of records without a template. */
  const known = anyModel ? acceptingAnyModel(specs) : specs
  const { messages: runMessages = [] } = options
  const runSystem = options.system === undefined ? [] : [systemMessage(options.system)]

  function build(record: InputRecord, model?: Json): RowRequest {
    const { value } = record
    if (!template && isObject(value)) return requestOf(record, withPlainNumbers(record, value), model)
    const prompt = template ? template.render(record, where) : value
    if (typeof prompt !== 'string') throw wrong(record, [], value, 'an object or a string')
    const messages = [...runSystem, ...runMessages, turnOf(record, prompt)]
    return request(record, route, { ...dialect.toFields(messages), ...route.defaults }, {}, [], model)
  }

  function check({ record }: RowRequest): Promise<void> | undefined {
    if (template || !isObject(record.value)) return undefined
    const value = withPlainNumbers(record, record.value)
    let hasFields = false
    const unknown: string[] = []
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(known, key)) hasFields = true
      else if (!ownKeys.includes(key) && isNew(key)) unknown.push(key)
    }
    return hasFields || unknown.length > 0 ? checkFields(record, value, unknown) : undefined
  }

  async function checkFields(record: InputRecord, value: JsonObject, unknown: readonly string[]): Promise<void> {
    const problem = await checkBody(known, value)
    if (problem) throw invalidValue(at(record), problem)
    for (const key of unknown) {
      const similar = suggestion(key, [...Object.keys(known), ...ownKeys])
      // A column of data may have any name but that of a field of the other API.
      if (similar === '' && !Object.hasOwn(requestFields, key)) continue
      await notifyUnknown(record, key, similar, 'it is not sent')
    }
  }

  /** Plain where the request gets them; other columns are data. */
  function withPlainNumbers(record: InputRecord, value: JsonObject): JsonObject {
    if (!record.hasExactNumbers) return value
    const plain = { ...value }
    for (const [key, own] of Object.entries(value)) {
      const isSent = ownKeys.includes(key) || Object.hasOwn(known, key)
      if (isSent && key !== 'custom_id') plain[key] = plainNumbers(own, `${at(record)}, ${key}`)
    }
    return plain
  }

  function requestOf(record: InputRecord, value: JsonObject, model?: Json): RowRequest {
    const { prompt } = value
    const messages = conversationOf(record, value)
    if (typeof prompt === 'string') messages.push(turnOf(record, prompt))
    else if (prompt !== undefined) throw wrong(record, ['prompt'], prompt, 'a string')
    else if (value.messages === undefined) throw noPrompt(record, value)
    else if (Array.isArray(value.messages) && value.messages.length === 0) {
      throw wrong(record, ['messages'], [], 'at least one message')
    }
    const fields: JsonObject = { ...dialect.toFields(messages), ...route.defaults }
    for (const [key, own] of Object.entries(value)) {
      if (key !== 'messages' && Object.hasOwn(known, key)) fields[key] = own
    }
    return request(record, route, fields, value, [], model)
  }

  /** The messages before the prompt. A record's own take the place of those of the run, and so does its system prompt. */
  function conversationOf(record: InputRecord, { system, messages }: JsonObject): Json[] {
    const own = messages === undefined ? undefined : dialect.fromFields({ messages }).messages
    if (own !== undefined && !Array.isArray(own)) throw wrong(record, ['messages'], messages, 'an array')
    const hasSystem = system !== undefined || own?.some(isInstruction) === true
    const conversation = [...(hasSystem ? [] : runSystem), ...(own ?? runMessages)]
    // A field of its own in the other API.
    if (system === undefined || Object.hasOwn(known, 'system')) return conversation
    if (typeof system !== 'string') throw wrong(record, ['system'], system, 'a string')
    return [systemMessage(system), ...conversation]
  }

  function turnOf(record: InputRecord, text: string): JsonObject {
    if (text.trim() === '') throw new UsageError(`${at(record)}: the prompt is empty`)
    return { role: 'user', content: text }
  }

  function noPrompt(record: InputRecord, value: JsonObject): UsageError {
    const suggestions = Object.keys(value).map((key) => suggestion(key, ['prompt', 'messages']))
    const similar = suggestions.find((text) => text !== '') ?? ''
    return new UsageError(`${at(record)}: no "prompt" or "messages"${similar}`, {
      hint: "for records of data use -t, for example -t 'Sentiment of: {{text}}'",
    })
  }

  return { build, check }
}

/** Within a schema, the order of keys may decide about the answer. */
const schemaKeys = new Set(['schema', 'parameters', 'input_schema'])

/** Programs that write requests order their fields as they like, as does `jq -S`. */
function withSortedKeys(json: Json): Json {
  if (Array.isArray(json)) return json.map(withSortedKeys)
  if (!isObject(json)) return json
  const sorted = Object.entries(json).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, value]) => [key, schemaKeys.has(key) ? value : withSortedKeys(value)]))
}

function systemMessage(content: string): JsonObject {
  return { role: 'system', content }
}

function isInstruction(message: Json): boolean {
  return isObject(message) && (message.role === 'system' || message.role === 'developer')
}

/** What is the same for all rows of an operation. */
interface Route {
  readonly operation: RowRequest['operation']
  readonly fields: Fields
  /** The fields under each row's own, without those of the conversation and the model. */
  readonly defaults: JsonObject
  /** Names of the run's fields that such requests don't have: those that no notice has named yet. */
  readonly unsent: string[]
  /** The model of a row without one. */
  model(body: JsonObject, models?: readonly Model[]): Json | undefined
}

const streaming = { chat: dialects.chat.operation, messages: dialects.messages.operation, completions } as const

type RouteName = keyof typeof streaming | 'embeddings'

/** By the paths of batch lines. */
const routesOfPaths: Readonly<Record<string, RouteName>> = {
  '/v1/chat/completions': 'chat',
  '/v1/completions': 'completions',
  '/v1/embeddings': 'embeddings',
}

function createRoute(name: RouteName, options: BuilderOptions): Route {
  const { api, anyModel, model, embeddingModel, system } = options
  const isEmbedding = name === 'embeddings'
  const specs: Fields = isEmbedding ? embeddingsFields : streaming[name].fields
  const fields = anyModel ? acceptingAnyModel(specs) : specs
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
    model: (body, models = options.models) => model ?? operation.alias(body, models),
  }
}

/** Whether a field of one operation means the same in another. Documents differ. */
function appliesTo(spec: Field | undefined, value: Json): boolean {
  return spec !== undefined && !('shape' in spec) && checkKind(spec, value) === undefined
}
