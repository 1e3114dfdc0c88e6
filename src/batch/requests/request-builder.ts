/** Makes the requests of records. Runs twice for each of up to millions of rows: what is the same for all is computed once. */

import { plainNumbers } from '../../fields/numbers.ts'
import { completions } from '../../api/completions/operation.ts'
import { embeddingsFields } from '../../api/embeddings/fields.ts'
import { families, type Family, type FamilyName } from '../../api/families.ts'
import { defaultMaxTokens } from '../../api/messages/fields.ts'
import { operations } from '../../api/operations.ts'
import { requestFields, requestVariants } from '../../api/variants.ts'
import { UsageError, withHint } from '../../errors.ts'
import { acceptingAnyModel, type Field, type Fields } from '../../fields/field.ts'
import { suggestion } from '../../fields/nearest.ts'
import { checkBody, checkKind, missingField } from '../../fields/parse.ts'
import { cannotBeCombined, choicesText, invalidValue, type Problem } from '../../fields/problem.ts'
import { isObject, quote, type Json, type JsonObject } from '../../io/json/json.ts'
import { customIdOf, type IdKey } from '../input/custom-id.ts'
import type { BatchInputFormat } from '../input/format.ts'
import { type InputRecord, isTable } from '../../input/records.ts'
import type { RowRequest } from '../row.ts'
import { sha256 } from '../sha256.ts'
import type { Template } from '../input/template.ts'

export interface BuilderOptions extends RouteOptions {
  readonly format: BatchInputFormat
  /** The document, for errors. */
  readonly where: string
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
   * @throws UsageError naming the line, if there is none.
   */
  build(record: InputRecord): RowRequest
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
    return new LineRequests(options, format === 'openai' ? 'body' : 'params')
  }
  if (isTable(format) && !template) {
    throw new UsageError(`${where}: a table needs a template for the prompts`, {
      hint: "use -t, for example -t 'Sentiment of: {{text}}'",
    })
  }
  return new PromptRequests(options)
}

/** The most keys that there are notices about: of a million records, each may have others. */
const maxKeys = 1000

/** What the requests of all formats share. */
abstract class Requests {
  protected readonly options: BuilderOptions
  /** Unknown keys that were met. */
  readonly #keys = new Set<string>()

  constructor(options: BuilderOptions) {
    this.options = options
  }

  /** Whether an unknown key comes for the first time. */
  protected isNew(key: string): boolean {
    if (this.#keys.has(key) || this.#keys.size >= maxKeys) return false
    this.#keys.add(key)
    return true
  }

  /** @param similar What the key may be a misspelling of. */
  protected async notifyUnknown(record: InputRecord, key: string, similar: string, outcome: string): Promise<void> {
    await this.options.notify(`${this.at(record)}: unknown field ${quote(key)}${similar}; ${outcome}`)
  }

  protected at({ line }: InputRecord): string {
    return `${this.options.where}, line ${line}`
  }

  protected invalid(record: InputRecord, problem: Problem): UsageError {
    return invalidValue(this.at(record), problem)
  }

  /** The error for a part of a record. */
  protected wrong(record: InputRecord, path: Problem['path'], value: Json | undefined, expected: string): UsageError {
    if (value !== undefined) return this.invalid(record, { path, found: quote(value), expected })
    return this.invalid(record, { path, found: 'missing', expected: `expected ${expected}` })
  }

  /**
   * @param fields All fields but the model of the run.
   * @param own What the record gives of them. @param path Where in it.
   */
  protected request(
    record: InputRecord,
    { operation, model: modelOf }: Route,
    fields: JsonObject,
    own: JsonObject = {},
    path: Problem['path'] = [],
  ): RowRequest {
    const hasOwnModel = own.model !== undefined
    const model = hasOwnModel ? own.model : modelOf(fields)
    if (model === undefined) throw this.wrong(record, [...path, 'model'], undefined, 'the name of a model')
    const body = { model, ...fields }
    return {
      record,
      customId: customIdOf(record, this.options.where, this.options.idKey),
      operation,
      body,
      // Only when it is needed: the first pass over the input of a new run needs none.
      get hash() {
        const { max_tokens: _limit, max_completion_tokens: _otherLimit, ...others } = body as JsonObject
        // Another limit makes another completion, which has no other end.
        const hashed = 'endsAtLimit' in operation ? body : others
        return sha256(`${operation.path}\n${JSON.stringify(hashed)}`).slice(0, 32)
      },
      get limit() {
        const { max_tokens: limit, max_completion_tokens: otherLimit } = body as JsonObject
        return Math.min(
          typeof limit === 'number' ? limit : Infinity,
          typeof otherLimit === 'number' ? otherLimit : Infinity,
        )
      },
      hasOwnModel,
    }
  }
}

/** Requests of batch lines, whose bodies are sent as they are. */
class LineRequests extends Requests implements RequestBuilder {
  /** The key of a line that holds the body. */
  readonly #bodyKey: 'body' | 'params'
  readonly #routes = new Map<RouteName, Route>()

  constructor(options: BuilderOptions, bodyKey: 'body' | 'params') {
    super(options)
    this.#bodyKey = bodyKey
  }

  build(record: InputRecord): RowRequest {
    const { value } = record
    if (!isObject(value)) throw this.wrong(record, [], value, 'an object')
    const body = value[this.#bodyKey]
    if (!isObject(body)) throw this.wrong(record, [this.#bodyKey], body, 'an object')
    const route = this.#route(record, value)
    const fields = this.#withSystem({ ...route.defaults, ...body }, route)
    return this.request(record, route, fields, body, [this.#bodyKey])
  }

  async check({ record, body }: RowRequest): Promise<void> {
    const line = record.value as JsonObject
    const own = line[this.#bodyKey] as JsonObject
    const route = this.#route(record, line)
    const missing = missingField(route.fields, body)
    if (missing !== undefined) throw this.wrong(record, [this.#bodyKey, missing], undefined, 'a value')
    const problem = await checkBody(route.fields, own)
    if (problem) {
      const error = this.invalid(record, { ...problem, path: [this.#bodyKey, ...problem.path] })
      throw problem.path[0] === 'model' ? withHint(error, otherModelHint(this.#bodyKey)) : error
    }
    const { path } = route.operation
    for (const name of route.unsent.splice(0)) {
      await this.options.notify(`${name} is not sent to ${path}, which has no such field`)
    }
    for (const key of Object.keys(own)) {
      if (Object.hasOwn(route.fields, key) || !this.isNew(key)) continue
      await this.notifyUnknown(record, key, suggestion(key, Object.keys(route.fields)), 'sending it anyway')
    }
  }

  /** @throws UsageError for a line that is not to be sent to one of the known paths. */
  #route(record: InputRecord, line: JsonObject): Route {
    const name = this.#bodyKey === 'params' ? 'messages' : this.#routeName(record, line)
    let route = this.#routes.get(name)
    if (!route) this.#routes.set(name, (route = createRoute(name, this.options)))
    return route
  }

  #routeName(record: InputRecord, { method, url }: JsonObject): RouteName {
    if (method !== undefined && method !== 'POST') throw this.wrong(record, ['method'], method, '"POST"')
    const name = typeof url === 'string' ? routeOfPath(url) : undefined
    if (name !== undefined) return name
    throw this.wrong(record, ['url'], url, choicesText(routePaths, url))
  }

  /** A body with its own system prompt keeps it. */
  #withSystem(body: JsonObject, { operation }: Route): JsonObject {
    const { system } = this.options
    if (system === undefined) return body
    if (operation.path === families.messages.operation.path) return { system, ...body }
    const { messages } = body
    if (operation.path !== families.chat.operation.path || !Array.isArray(messages)) return body
    return messages.some(isInstruction) ? body : { ...body, messages: [systemMessage(system), ...messages] }
  }
}

/** Lines written for another service name its models, which no flag overrides. */
function otherModelHint(bodyKey: string): string {
  return `to send all lines to one model: jq -c '.${bodyKey}.model = "syn:large:text"' INPUT`
}

/** Keys of records that hold no field of the request, and are no typos of one. */
const ownKeys = ['prompt', 'messages', 'system', 'custom_id']

/** Requests of prompts: those of a template, of plain lines, and of JSON values with `prompt` or `messages`. */
class PromptRequests extends Requests implements RequestBuilder {
  readonly #family: Family
  readonly #route: Route
  /** The rows of records without a template. */
  readonly #fields: Fields
  /** The run's system prompt, if there is one. */
  readonly #system: readonly Json[]
  /** The run's messages before the prompt. */
  readonly #messages: readonly Json[]

  constructor(options: BuilderOptions) {
    super(options)
    const { api, system, anyModel, messages = [] } = options
    this.#family = families[api]
    this.#route = createRoute(api, options)
    const rows: Fields = requestVariants.rows[api]
    this.#fields = anyModel ? acceptingAnyModel(rows) : rows
    this.#system = system === undefined ? [] : [systemMessage(system)]
    this.#messages = messages
  }

  build(record: InputRecord): RowRequest {
    const { value } = record
    const { template, where } = this.options
    if (!template && isObject(value)) return this.#ofObject(record, this.#withPlainNumbers(record, value))
    const prompt = template ? template.render(record, where) : value
    if (typeof prompt !== 'string') throw this.wrong(record, [], value, 'an object or a string')
    const messages = [...this.#system, ...this.#messages, this.#turn(record, prompt)]
    return this.request(record, this.#route, { ...this.#family.toFields(messages), ...this.#route.defaults })
  }

  check({ record }: RowRequest): Promise<void> | undefined {
    if (this.options.template || !isObject(record.value)) return undefined
    const value = this.#withPlainNumbers(record, record.value)
    let hasFields = false
    const unknown: string[] = []
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(this.#fields, key)) hasFields = true
      else if (!ownKeys.includes(key) && this.isNew(key)) unknown.push(key)
    }
    return hasFields || unknown.length > 0 ? this.#checkFields(record, value, unknown) : undefined
  }

  async #checkFields(record: InputRecord, value: JsonObject, unknown: readonly string[]): Promise<void> {
    const problem = await checkBody(this.#fields, value)
    if (problem) throw this.invalid(record, problem)
    for (const key of unknown) {
      const similar = suggestion(key, [...Object.keys(this.#fields), ...ownKeys])
      // A column of data may have any name but that of a field of the other API.
      if (similar === '' && !Object.hasOwn(requestFields, key)) continue
      await this.notifyUnknown(record, key, similar, 'it is not sent')
    }
  }

  /** Plain where the request gets them; other columns are data. */
  #withPlainNumbers(record: InputRecord, value: JsonObject): JsonObject {
    if (!record.hasExactNumbers) return value
    const plain = { ...value }
    for (const [key, own] of Object.entries(value)) {
      const isSent = ownKeys.includes(key) || Object.hasOwn(this.#fields, key)
      if (isSent && key !== 'custom_id') plain[key] = plainNumbers(own, `${this.at(record)}, ${key}`)
    }
    return plain
  }

  #ofObject(record: InputRecord, value: JsonObject): RowRequest {
    const { prompt } = value
    const messages = this.#conversation(record, value)
    if (typeof prompt === 'string') messages.push(this.#turn(record, prompt))
    else if (prompt !== undefined) throw this.wrong(record, ['prompt'], prompt, 'a string')
    else if (value.messages === undefined) throw this.#noPrompt(record, value)
    else if (Array.isArray(value.messages) && value.messages.length === 0) {
      throw this.wrong(record, ['messages'], [], 'at least one message')
    }
    const fields: JsonObject = { ...this.#family.toFields(messages), ...this.#route.defaults }
    for (const [key, own] of Object.entries(value)) {
      if (key !== 'messages' && Object.hasOwn(this.#fields, key)) fields[key] = own
    }
    return this.request(record, this.#route, fields, value)
  }

  /** The messages before the prompt. A record's own take the place of those of the run, and so does its system prompt. */
  #conversation(record: InputRecord, { system, messages }: JsonObject): Json[] {
    const own = messages === undefined ? undefined : this.#family.fromFields({ messages }).messages
    if (own !== undefined && !Array.isArray(own)) throw this.wrong(record, ['messages'], messages, 'an array')
    const hasSystem = system !== undefined || own?.some(isInstruction) === true
    const conversation = [...(hasSystem ? [] : this.#system), ...(own ?? this.#messages)]
    // A field of its own in the other API.
    if (system === undefined || Object.hasOwn(this.#fields, 'system')) return conversation
    if (typeof system !== 'string') throw this.wrong(record, ['system'], system, 'a string')
    return [systemMessage(system), ...conversation]
  }

  #turn(record: InputRecord, text: string): JsonObject {
    if (text.trim() === '') throw new UsageError(`${this.at(record)}: the prompt is empty`)
    return { role: 'user', content: text }
  }

  #noPrompt(record: InputRecord, value: JsonObject): UsageError {
    const suggestions = Object.keys(value).map((key) => suggestion(key, ['prompt', 'messages']))
    const similar = suggestions.find((text) => text !== '') ?? ''
    return new UsageError(`${this.at(record)}: no "prompt" or "messages"${similar}`, {
      hint: "for records of data use -t, for example -t 'Sentiment of: {{text}}'",
    })
  }
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
  model(body: JsonObject): Json | undefined
}

/** The settings of the run that routes depend on. */
interface RouteOptions {
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

const streaming = { chat: families.chat.operation, messages: families.messages.operation, completions } as const

type RouteName = keyof typeof streaming | 'embeddings'

const routesOfPaths: Readonly<Record<string, RouteName>> = {
  '/v1/chat/completions': 'chat',
  '/v1/completions': 'completions',
  '/v1/embeddings': 'embeddings',
}

/** The paths of batch lines. */
const routePaths = Object.keys(routesOfPaths)

/** @param path With or without the prefix of the family. */
function routeOfPath(path: string): RouteName | undefined {
  const known = path.replace(/^\/openai(?=\/)/, '')
  return Object.hasOwn(routesOfPaths, known) ? routesOfPaths[known] : undefined
}

function createRoute(name: RouteName, options: RouteOptions): Route {
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
