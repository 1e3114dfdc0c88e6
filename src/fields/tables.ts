/** A command's tables, and what a command line sets in them: flags, `--body`, `--param`, and the head of a prompt. */

import { UsageError, withHint } from '../errors.ts'
import { isFile } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import type { JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import { acceptingAnyModel, flagOf, mergeSpecs, type Fields, type Values } from './field.ts'
import { didYouMean, closest, suggestion } from './suggestion.ts'
import { parseExactJsonOrText } from './numbers.ts'
import { checkBody, checkValue, mayNameFile, parseFlags, type ArgumentRules, type RawFlag } from './parse.ts'
import { cannotBeCombined, invalidValue } from './problem.ts'
import type { PromptText } from './prompt-file.ts'
import type { RequestVariants } from './request-variants.ts'

export interface Tables<F extends Fields = Fields, O extends Fields = Fields> {
  readonly arguments?: readonly ArgumentRules[]
  /** Specs that become the request's body. */
  readonly fields?: F
  /** Specs of a similar request: `--body` may contain them, and they are not sent. */
  readonly unsent?: Fields
  /** For a command with several variants of its request; `fields` then holds every spec that has a flag. */
  readonly variants?: RequestVariants
  /** Options that are not sent. */
  readonly options?: O
}

/** The parsed command line: its positional arguments, and its flags by spec name. */
export interface Invocation {
  readonly words: readonly string[]
  readonly typed: ReadonlyMap<string, RawFlag>
}

/** What is parsed, and what was typed. */
export interface CommandLine extends Invocation {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
}

export interface TableValues<F extends Fields = Fields, O extends Fields = Fields> {
  /** The request's fields: the head of the prompt, overridden by `--body`, by `--param`, and by the flags. */
  readonly fields: Values<F> & JsonObject
  readonly flags: Values<F>
  readonly options: Values<O>
  /** That of `--template`, with the values of `--var`. */
  readonly prompt?: PromptText | undefined
  /** What its head sets, which `fields` and `options` have too. */
  readonly head?: Awaited<ReturnType<typeof headValues>> | undefined
}

/** What values are read with. */
export interface Reading {
  readonly io: Io & { readonly notify: (text: string) => Promise<void> }
  /** Read only for specs of models: syn config path works with an invalid file. */
  readonly settings: { readonly anyModel: boolean }
  /** Finds the model that a name is a part of. */
  resolveModelName(name: string, where: string): Promise<string>
}

/** @throws UsageError for a value that is not accepted, and what reading throws. */
export async function readTables(tables: Tables, typed: Invocation['typed'], reading: Reading): Promise<TableValues> {
  const { io, resolveModelName } = reading
  const [model, names, meant] = [typed.get('model') ?? [], [] as string[], new Map(typed)]
  for (const name of [model].flat()) names.push(await resolveModelName(String(name), '--model'))
  if (names.length > 0) meant.set('model', Array.isArray(model) ? names : (names[0] ?? ''))
  const { options, flags, specs } = await parseTables(tables, meant, reading)
  const body = { ...(await readBodyOption(specs, tables.unsent ?? {}, options, io)), ...flags } as JsonObject
  const prompt = await readTemplate(options, io)
  const settable = { fields: specs, options: tables.options }
  const head = prompt && (await headValues(prompt, settable, { ...options, ...body }, resolveModelName))
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.deprecated && typed.has(name)) await io.notify(`${flagOf(name)} is deprecated: use ${spec.deprecated}`)
  }
  return { fields: { ...head?.fields, ...body }, flags, options: { ...head?.options, ...options }, prompt, head }
}

/** Checks the flags that name no file. @throws UsageError for the first that is not accepted. */
export async function checkTables(tables: Tables, typed: Invocation['typed'], reading: Reading): Promise<void> {
  const specs = mergeSpecs(tables.options, tables.fields)
  const inline = [...typed].filter(([name, raw]) => specs[name] && !mayNameFile(specs[name], raw))
  await parseTables(tables, new Map(inline), reading)
}

/**
 * The flags of both tables, and the specs of the request.
 * @throws UsageError for the first flag that is not accepted, or that belongs to another variant of the request.
 */
async function parseTables(
  { fields = {}, variants, options: optionRows = {} }: Tables,
  typed: Invocation['typed'],
  { io, settings }: Reading,
): Promise<{ options: Values<Fields>; flags: Values<Fields>; specs: Fields }> {
  const takesAny = typed.has('fallback') && settings.anyModel
  const options = await parseFlags(takesAny ? acceptingAnyModel(optionRows) : optionRows, typed, io)
  // An option may have the name of a field without a flag.
  const given = new Map([...typed].filter(([name]) => Object.hasOwn(fields, name)))
  const specified = variants ? (await import('./request-variants.ts')).variantSpecs(variants, options, given) : fields
  const hasModel = Object.values(specified).some(({ kind }) => kind === 'model')
  const specs = hasModel && settings.anyModel ? acceptingAnyModel(specified) : specified
  return { options, flags: await parseFlags(specs, given, io), specs }
}

/**
 * Reads `--body`, which `--param` overrides. Of keys without a spec, which are sent, a notice is printed.
 * @param unsent Specs whose values are dropped.
 * @throws UsageError for a value of `--body` that its spec does not accept.
 */
async function readBodyOption(
  fields: Fields,
  unsent: Fields,
  options: Values<Fields>,
  { notify }: Reading['io'],
): Promise<JsonObject> {
  const { body, param = [] } = options as { body?: JsonObject; param?: string[] }
  if (body === undefined) return parseParams(param)
  const { sourceOf } = await import('./document.ts')
  const where = sourceOf(body) ?? '--body'
  const document = Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(unsent, name)))
  const problem = await checkBody(fields, document)
  if (problem) throw invalidValue(where, problem)
  for (const key of Object.keys(document).filter((name) => !(name in fields))) {
    const similar = suggestion(key, Object.keys(fields))
    await notify(`${where}: unknown field ${JSON.stringify(key)}${similar}; sending it anyway`)
  }
  return { ...document, ...parseParams(param) }
}

/**
 * Parses `key=value` pairs, unchecked. A value is parsed as JSON if it is valid JSON, otherwise it is text.
 * @throws UsageError for a pair without a key, and for a number that cannot be sent as it is.
 */
function parseParams(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 1 || /\s/.test(pair.slice(0, equals))) {
        const error = invalidValue('--param', { path: [], found: JSON.stringify(pair), expected: 'key=value' })
        // Other programs take a prompt after -p.
        throw equals === 0 ? error : withHint(error, 'for a prompt, leave out -p')
      }
      const [key, text] = [pair.slice(0, equals), pair.slice(equals + 1)]
      return [key, parseExactJsonOrText(text, `--param ${key}`)]
    }),
  )
}

async function readTemplate(options: Values<Fields>, io: Reading['io']): Promise<PromptText | undefined> {
  const { template, var: vars } = options as { template?: string; var?: string[] }
  if (vars && template === undefined) throw new UsageError('--var needs --template')
  if (template === undefined) return undefined
  if (template.trim() === '') throw new UsageError('--template: the text is empty')
  const [{ readPrompt }, { promptNames, promptPath }] = await Promise.all([
    import('./document.ts'),
    import('./prompt-file.ts'),
  ])
  // A text that is the name of a stored prompt is rather meant as that, and one that is nearly one is a typo.
  const isName = promptPath(template, io) !== undefined
  const near = isName ? closest(template, promptNames(io)) : undefined
  if (near !== undefined && near !== template && !isFile(template)) {
    throw new UsageError(`--template: no prompt ${quote(template)}${didYouMean(near)}`, {
      hint: 'to send it as text, add {{.}}, which stands for the input',
    })
  }
  const raw = near === template ? `@${template}` : template
  return { ...(await readPrompt(raw, '--template', io)), vars }
}

/** The text of a prompt is its message, and no prompt chooses what a model may run. */
const unsettable = new Set(['messages', 'prompt', 'stream', 'tools', 'functions'])

/**
 * Reads what the head of a prompt sets: fields of the request, and of the options `system` and `schema`. No value names a file.
 * @param given It overrides what it sets, and what it excludes. @param resolveModelName Finds the model that a name is a part of.
 * @throws UsageError naming file, line and field.
 */
export async function headValues(
  { head, where }: PromptText,
  { fields, options = {} }: { readonly fields: Fields; readonly options?: Fields | undefined },
  given: Readonly<Record<string, unknown>>,
  resolveModelName: (name: string, where: string) => Promise<string>,
): Promise<{ readonly fields: JsonObject; readonly options: JsonObject }> {
  const { withSource } = await import('./document.ts')
  const specs = mergeSpecs(fields, options)
  const sent = 'response_format' in fields ? ['system', 'schema'] : ['system']
  const settable = Object.keys(specs).filter((name) => (name in fields ? !unsettable.has(name) : sent.includes(name)))
  const excludes = (name: string, other: string): boolean =>
    Boolean(specs[name]?.exclusive?.includes(other) || specs[other]?.exclusive?.includes(name))
  const values = { fields: {} as JsonObject, options: {} as JsonObject }
  for (const [name, { value, line }] of head) {
    if (name === 'description') continue
    const at = `${where}, line ${line}`
    const spec = settable.includes(name) ? specs[name] : undefined
    if (!spec) {
      const similar = suggestion(name, [...settable, 'description'])
      throw new UsageError(`${at}: ${quote(name)} is not a field that a prompt can set here${similar}`)
    }
    const label = `${at}: ${name}`
    const other = [...head.keys()].find((one) => excludes(name, one))
    if (other !== undefined) throw cannotBeCombined([label, other])
    // `--no-name` excludes nothing, on the command line neither.
    if (Object.entries(given).some(([one, to]) => one === name || (to !== false && excludes(name, one)))) continue
    const isText = spec.kind === 'text' || name === 'system'
    const json = isText ? value : withSource(parseExactJsonOrText(value, label), label)
    const listed = spec.kind === 'texts' && !spec.single && typeof json === 'string' ? [json] : json
    const set = spec.kind === 'model' ? await resolveModelName(value, label) : listed
    const problem = await checkValue(spec, set)
    if (problem) throw invalidValue(label, problem)
    values[name in options ? 'options' : 'fields'][name] = set
  }
  return values
}
