/** Prints results as rows of the output: whole, as text, or in columns of a table or of JSON objects. */

import { exactJson, withExactNumbers } from '../../io/json/exact-numbers.ts'
import { isNonEmptyText, isObject, type Json, type JsonObject, objectsIn } from '../../io/json/json.ts'
import { parseJsonIfValid, parseStoredJson } from '../../io/json/parse.ts'
import { bareText } from '../../io/json/print.ts'
import { textsIn as textsOfParts } from '../../api/chat/messages.ts'
import { UsageError } from '../../errors.ts'
import { type InputRecord, keptColumns, namesIn, type TableFormat, valueAt } from '../../input/records.ts'
import { jsonIn } from '../../answer/json-in.ts'
import type { BatchInput } from '../input/input.ts'
import { readContent } from '../../stream/content-reader.ts'
import type { RowError } from '../row.ts'
import { sha256 } from '../sha256.ts'
import { type Expected, expectedOf, type Scores } from './scores.ts'

/** A row of the input, when it is read again. */
export interface OutputRow {
  readonly record: InputRecord
  readonly customId: string
  /** Why a row was not sent. */
  readonly error?: RowError | undefined
}

/** `columns` of `jsonl`: rows with these keys, in place of OpenAI's. */
export type OutputFormat =
  | { readonly type: 'jsonl'; readonly columns?: Columns | undefined }
  | { readonly type: TableFormat; readonly columns: Columns }
  | { readonly type: 'text'; readonly answers?: AnswerForm; readonly columns?: undefined }

/** What the answers are. */
export interface AnswerForm {
  /** Whether JSON was asked for. */
  readonly isJson?: boolean
  /** Whether a call, as nobody offered a tool, has it in its arguments. */
  readonly hasJsonInCalls?: boolean
  /** Whether tools were offered. */
  readonly hasTools?: boolean
  /** Whether each has several choices. */
  readonly isSeveral?: boolean
}

export interface Columns {
  /** Columns of the input. */
  readonly keep: readonly string[]
  /** Whether all are kept; `keep` is empty then. */
  readonly keepsAll: boolean
  /** The properties of the schema, a column for each; without them the answer is one column. */
  readonly properties: readonly string[]
  readonly answers: AnswerForm
  /** What a column ok compares each answer with (default: there is none). */
  readonly expected?: Expected | undefined
  /** Several that each row is asked of: columns of answers have their names. */
  readonly models?: readonly string[] | undefined
}

/** For `--keep`: all columns of the input. */
const allColumns = '*'

/** For errors. */
export const severalModels = '-m given several times'

const answerColumn = 'answer'

/** Options of the command, and the models if there are several. */
type CompareOptions = { readonly expect?: string; readonly exact?: boolean } & Pick<Columns, 'models'>

/** @param keep Of `--keep`. @param schema Of the answers. @throws UsageError as `keptColumns`, and for two equal names. */
export function columnsOf(
  keep: readonly string[],
  schema: JsonObject | undefined,
  answers: AnswerForm = { isJson: schema !== undefined },
  { expect, exact = false, models }: CompareOptions = {},
): Columns {
  const properties = isObject(schema?.properties) ? Object.keys(schema.properties) : []
  const compared = { expected: expect === undefined ? undefined : expectedOf(expect, properties, exact), models }
  const added = addedColumns({ properties, ...compared })
  const twice = added.find((name, at) => added.indexOf(name) !== at)
  if (twice !== undefined) throw new UsageError(`the output would have two columns named "${twice}"`)
  const names = keptColumns(keep, (name) => added.includes(name))
  const keepsAll = names.includes(allColumns)
  return { keep: keepsAll ? [] : names, keepsAll, properties, answers, ...compared }
}

/** The columns of the answers. */
export function addedColumns({ properties = [], expected, models }: Partial<Columns>): string[] {
  const right = expected ? ['ok'] : []
  if (!models) return [...(properties.length > 0 ? properties : [answerColumn]), ...right]
  const namesOf = (model: string): string[] => [...properties, ...right].map((name) => `${model}.${name}`)
  return models.flatMap((model) => (properties.length > 0 ? namesOf(model) : [model, ...namesOf(model)]))
}

/** The columns of the input that the output keeps, as `--keep` has them. */
function keptNames({ columns }: OutputFormat): readonly string[] {
  return columns?.keepsAll ? [allColumns] : (columns?.keep ?? [])
}

/** A row of JSON Lines without its end, in the shape of OpenAI's batch results. @param result `"response":…,"error":…` */
export function resultRow(row: OutputRow, result: string, model?: string): string {
  const name = model === undefined ? '' : `"model":${JSON.stringify(model)},`
  return `${wholeRows.head(row)}${name}${result}}`
}

export type InputHeader = Pick<BatchInput, 'table'>

export interface ResultPrinter {
  /** The line before the first row, when that was read, or there is none; empty for formats that have none. */
  header(): string
  /** What ends each line, once the first row was read. */
  lineEnd(): string
  /** Whether a file has a line for a failed row. */
  readonly hasLineOfFailed?: boolean
  /** Whether a row has the whole result, with the error of a failed one. */
  readonly isWhole?: boolean
  /** The start of a row, which the input alone decides. */
  head(row: OutputRow): string
  /** The rest without the line end. @param results By model `"response":…,"error":…`; empty without an answer. */
  tail(results: readonly string[], row: OutputRow): string
}

const plainLines = { header: () => '', lineEnd: () => '\n' }

const wholeRows: ResultPrinter = {
  ...plainLines,
  isWhole: true,
  // The ID is made of the line of the input, so that it stays the same with another template. Equal lines have equal ids.
  head: ({ record: { raw }, customId }) =>
    `{"id":"batch_req_${sha256(raw).slice(0, 24)}","custom_id":${JSON.stringify(customId)},`,
  tail: ([result = '']) => `${result}}`,
}

/** @param scores Count the answers of each row. */
export async function createPrinter(
  format: OutputFormat,
  input: InputHeader,
  { isFile = false, scores }: { readonly isFile?: boolean; readonly scores?: Scores | undefined } = {},
): Promise<ResultPrinter> {
  if (format.type === 'text') {
    return {
      ...plainLines,
      hasLineOfFailed: true,
      head: () => '',
      tail: ([result = '']) => lineOf(answerText(bodyOf(result), format.answers), format.answers?.isJson),
    }
  }
  const { columns, type } = format
  if (!columns) return wholeRows
  if (type === 'jsonl') {
    const member = ([name, value]: Value): string => `${JSON.stringify(name)}:${exactJson(value)}`
    return {
      ...plainLines,
      head: ({ record }) =>
        `{${keptValues(columns, record, input)
          .map((one) => `${member(one)},`)
          .join('')}`,
      tail: (results, row) => `${addedValues(columns, results, row, scores).map(member).join(',')}}`,
    }
  }
  const { csvRow, styleOf } = await import('../../io/text/csv-text.ts')
  const style = () => styleOf(type, isFile ? input.table?.dialect : undefined)
  const cells = (values: readonly Value[]): string =>
    csvRow(
      values.map(([, value]) => (value === null ? '' : bareText(value))),
      style().delimiter,
    )
  const kept = (): readonly string[] => (columns.keepsAll ? (input.table?.names ?? []) : columns.keep)
  return {
    header() {
      const { mark, delimiter, lineEnd } = style()
      return `${mark}${csvRow([...kept(), ...addedColumns(columns)], delimiter)}${lineEnd}`
    },
    lineEnd: () => style().lineEnd,
    // Tables of two runs are pasted together.
    hasLineOfFailed: keptNames(format).length > 0,
    head({ record }) {
      const kept = keptValues(columns, record, input)
      return kept.length === 0 ? '' : `${cells(kept)}${style().delimiter}`
    },
    // Readers skip a blank line.
    tail: (results, row) =>
      cells(addedValues(columns, results, row, scores)) || (keptNames(format).length === 0 ? '""' : ''),
  }
}

type Value = readonly [column: string, value: Json]

/** What a row keeps of the input. */
function keptValues({ keep, keepsAll }: Columns, { value }: InputRecord, { table }: InputHeader): Value[] {
  return (keepsAll ? (table?.names ?? namesIn(value)) : keep).map((name) => [name, valueAt(value, name) ?? null])
}

/** What follows it in the row. */
function addedValues(columns: Columns, results: readonly string[], { record }: OutputRow, scores?: Scores): Value[] {
  const { property = answerColumn } = columns.expected ?? {}
  const answers = results.map((result) => answerValues(columns, bodyOf(result)))
  const compared = answers.map((values, at) => (results[at] === '' ? undefined : new Map(values).get(property)))
  const right = scores?.add(record.value, compared)
  const values = answers.flatMap((one, at) => [...one.map(([, value]) => value), ...(right ? [right[at] ?? null] : [])])
  const names = addedColumns(columns)
  return values.map((value, at) => [names[at] ?? '', value])
}

function answerValues({ properties, answers }: Columns, body: Json): Value[] {
  if (properties.length === 0) {
    const text = answerText(body, answers)
    return [[answerColumn, body === null ? null : ((answers.isJson ? jsonIn(text) : undefined) ?? text)]]
  }
  const text = jsonIn(textsOfBody(body, answers)[0] ?? '') ?? ''
  const answer = withExactNumbers(parseJsonIfValid(text, null), text)
  return properties.map((name) => [
    name,
    isObject(answer) && Object.hasOwn(answer, name) ? (answer[name] ?? null) : null,
  ])
}

/** The body of the reply in a recorded result. */
function bodyOf(result: string): Json {
  const text = `{${result}}`
  const json = withExactNumbers(parseStoredJson(text, null), text)
  const response = isObject(json) ? json.response : undefined
  return isObject(response) ? (response.body ?? null) : null
}

/**
 * The text of an answer. Of several choices, their texts as a JSON array; of embeddings, the vector as JSON, or the array of
 * vectors. Without text, the tool calls as JSON. Empty for a failed row, whose body is `null`.
 */
export function answerText(body: Json, form: AnswerForm = {}): string {
  if (body === null) return ''
  if (!isObject(body)) return exactJson(body)
  const texts = choiceTexts(body, form)
  if (texts) return texts.length === 1 && !form.isSeveral ? (texts[0] ?? '') : JSON.stringify(texts)
  if (Array.isArray(body.content)) return messageText(body.content, form)
  if (Array.isArray(body.data)) {
    const vectors = objectsIn(body.data).map(({ embedding = null }) => embedding)
    return exactJson(vectors.length === 1 ? (vectors[0] ?? null) : vectors)
  }
  return exactJson(body)
}

/** The text of each choice, which a schema describes. @param result `"response":…,"error":…` */
export function textsOf(result: string): string[] {
  return textsOfBody(bodyOf(result), {})
}

function textsOfBody(body: Json, form: AnswerForm): string[] {
  return (isObject(body) ? choiceTexts(body, form) : undefined) ?? [answerText(body, form)]
}

/** One line: a text with line ends is printed as a JSON string. @param isJson Whether it is JSON, which needs no line ends. */
export function lineOf(text: string, isJson = false): string {
  const json = isJson ? jsonIn(text) : undefined
  if (!/[\n\r]/.test(json ?? text)) return json ?? text
  return json === undefined ? JSON.stringify(text) : exactJson(withExactNumbers(parseJsonIfValid(json, null), json))
}

function choiceTexts({ choices }: JsonObject, form: AnswerForm): string[] | undefined {
  if (!Array.isArray(choices)) return undefined
  return objectsIn(choices).map(({ text, message }) => {
    if (!isObject(message)) return typeof text === 'string' ? text : ''
    const { content, refusal, tool_calls: calls } = message
    if (isNonEmptyText(content)) return contentText(content, form)
    if (Array.isArray(content)) return contentText(textsOfParts(content).join(''), form)
    if (isNonEmptyText(refusal)) return refusal
    if (!Array.isArray(calls) || calls.length === 0) return ''
    if (!form.hasJsonInCalls) return exactJson(calls)
    // The arguments of several calls are no JSON.
    return objectsIn(objectsIn(calls).map((call) => call.function ?? null))
      .map(({ arguments: given = '' }) => bareText(given))
      .join('\n')
  })
}

function messageText(content: Json[], form: AnswerForm): string {
  const text = contentText(textsOfParts(content).join(''), form)
  const calls = objectsIn(content).filter(({ type }) => type === 'tool_use')
  return text === '' && calls.length > 0 ? exactJson(calls) : text
}

/** A text without what is none of the answer, or the calls in it. */
function contentText(content: string, { hasTools = false }: AnswerForm): string {
  if (!content.includes('<')) return content
  const { text = '', hasText, calls } = readContent(content, hasTools) ?? {}
  if (hasText || !calls?.size) return text
  return exactJson([...calls.values()].map(({ id, ...called }) => ({ id, type: 'function', function: called })))
}
