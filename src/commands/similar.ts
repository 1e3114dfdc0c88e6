import { defaultGroupSize } from '../api/embeddings/embed.ts'
import { embeddingsFields } from '../api/embeddings/fields.ts'
import { operations } from '../api/operations.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { openCache } from '../embeddings/cache.ts'
import { removeCache } from '../embeddings/cache-folders.ts'
import type { TextLocation } from '../embeddings/nearest.ts'
import { FailedError, UsageError, withAddedHint } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { inputOptions, jsonOption, recordOptions, requestOptions } from '../fields/request-options.ts'
import { partKinds, readParts } from '../input/parts.ts'
import { readQuery, shouldReadStdin } from '../input/prompt.ts'
import { append } from '../io/arrays.ts'
import { withTarget } from '../io/files/output.ts'
import { onOneLine } from '../io/files/files.ts'
import { isFile, mayExist } from '../io/files/stats.ts'
import { askConfirmation, canAsk } from '../io/process/question.ts'
import { andOthers } from '../io/text/plural.ts'
import { safe, sanitizeName } from '../io/text/safe-text.ts'
import { chooseEmbeddingModel, searchPrefixesOf } from '../models/embedding-model.ts'
import { withModelHint } from '../models/rotation.ts'

/** Without the user's consent: in requests of 64, these take minutes. */
const maxParts = 20_000

const defaultLimit = 10

const similarFields = {
  model: embeddingsFields.model,
  dimensions: embeddingsFields.dimensions,
} as const satisfies Fields

const similarOptions = {
  limit: {
    kind: 'number',
    minimum: 1,
    whole: true,
    short: 'n',
    default: defaultLimit,
    everyday: true,
    help: 'Most results',
  },
  min: { kind: 'number', minimum: -1, maximum: 1, everyday: true, help: 'Least similarity' },
  by: {
    kind: 'text',
    choices: partKinds,
    default: 'paragraph, at most 1,500 characters',
    exclusive: ['lines', 'inputFormat', 'column', 'delimiter'],
    everyday: true,
    help: 'What a result is',
  },
  file: {
    ...inputOptions.file,
    patterns: true,
    help: 'Search a file or a folder, as the arguments after the question; repeatable',
  },
  ...recordOptions,
  yes: { kind: 'switch', help: `Embed more than ${maxParts.toLocaleString('en')} parts without asking` },
  cache: {
    kind: 'boolean',
    default: true,
    help: 'Use the cache; without it, embed everything again, and store nothing',
  },
  forget: { kind: 'switch', help: 'Remove the cache' },
  output: requestOptions.output,
  ...jsonOption,
} as const satisfies Fields

type SimilarContext = CommandContext<typeof similarFields, typeof similarOptions>

export default defineCommand({
  description:
    'Rank the paragraphs of text files by how close their meaning is to that of a question. Each part is embedded once: what is ' +
    'kept is found again by its text, so that a changed file needs no update. Embeddings do not count against the quota.\n\n' +
    'A folder stands for its text files, without those that are hidden or that .gitignore excludes. Without files, standard ' +
    'input is searched. Files named .csv, .tsv or .jsonl are searched by rows, unless --by says otherwise.\n\n' +
    'When piped, output is tab-separated: similarity, PATH:LINE, and the text on one line.',
  arguments: [
    { name: 'question', help: 'What to look for, in quotes; - for stdin', exclusive: ['forget'] },
    { name: 'path', help: 'Files, folders, and patterns in quotes; - for stdin', many: true, completes: 'file' },
  ],
  fields: similarFields,
  options: similarOptions,
  examples: [
    ['Search files', 'syn similar "how do I rotate the key" docs/*.md'],
    ['Print the places only', 'syn similar --limit 2 "slow start" src | cut -f 2'],
    ['Search a column of a table', 'syn similar --column text -f reviews.csv "arrived broken"'],
    ['Answer from the results', 'syn similar "what was decided" notes | syn chat "What was decided?"'],
  ],

  async run(context) {
    const { options, fields, io, notices } = context
    if (options.forget) return notices.info(removeCache(io))
    const question = await readQuestion(context)
    const parts = await readPaths(context)
    const model = await chooseEmbeddingModel(fields.model, context)
    const body = { model, ...(fields.dimensions !== undefined && { dimensions: fields.dimensions }) }
    const prefixes = searchPrefixesOf(model)
    const cache = options.cache === false ? undefined : await openCache(body, context)
    const texts = [...new Set(parts.map(({ text }) => text))]
    await confirm(texts.filter((text) => !cache?.has(prefixes.text + text)).length, context)
    const { min = -1, limit = defaultLimit } = options
    const {
      nearestParts,
      locationText: placeOf,
      writeSimilarTexts: writeResults,
    } = await import('../embeddings/nearest.ts')
    const ranked = await withTarget(options.output, io, async (target) => {
      const search = { ...context, body, cache, prefixes }
      const ranked = await nearestParts(question, parts, search).catch(async (error: unknown) => {
        throw await withModelHint(error, { operation: operations.embeddings, body }, context.catalog)
      })
      const isJson = options.json ?? options.output?.endsWith('.json')
      await writeResults(ranked.filter(({ similarity }) => similarity >= min).slice(0, limit), isJson, target)
      return ranked
    })
    for (const note of cache?.notes() ?? []) await notices.info(note)
    const [nearest] = ranked
    if (nearest && nearest.similarity >= min) return
    throw new FailedError(nearest ? `nothing reaches --min ${min}` : 'the service refused every part', {
      hint: nearest && `the nearest is ${placeOf(nearest)}, with ${nearest.similarity}`,
    })
  },
})

/** @throws UsageError without a question, and for the name of a file in its place. */
async function readQuestion({ words: [word], io }: SimilarContext): Promise<string> {
  const question = word === undefined ? undefined : await readQuery([word], true, io)
  const hint = 'for example: syn similar "how do I log in" docs/*.md'
  if (!question) throw new UsageError('no question: give it before the files', { hint })
  if (isFile(question)) throw new UsageError(`${question} is a file: the question comes before the files`, { hint })
  return question
}

/** The parts of all files. @throws UsageError if there is none, or a file cannot be read. */
async function readPaths({ words, options, io, notices }: SimilarContext): Promise<TextLocation[]> {
  const [question = '', ...named] = words
  const paths = [...named, ...(options.file ?? [])]
  if (paths.length === 0 && shouldReadStdin({ words: [], hasOther: false }, io)) append(paths, ['-'])
  if (paths.length === 0) throw new UsageError('no files: name files or folders after the question, or pipe a text in')
  const format = options.lines ? 'lines' : options.inputFormat
  const { parts, skipped, unreadable } = await readParts(paths, { ...options, format }, io).catch((error: unknown) => {
    const isSplit = !/\s/.test(question) && named.length > 1 && !mayExist(named[0] ?? '')
    const hint = mayExist(question) ? 'the question comes before the files' : isSplit && 'put the question in quotes'
    throw error instanceof UsageError && hint ? withAddedHint(error, hint) : error
  })
  const [asText] = unreadable
  if (asText) await notices.info(`searched as text: ${asText.message}${andOthers(unreadable, 'file')}`)
  if (skipped.length > 0) {
    await notices.info(`skipped, no readable UTF-8 text: ${onOneLine(skipped[0] ?? '')}${andOthers(skipped, 'file')}`)
  }
  const [path = '', ...others] = paths
  const name = others.length > 0 ? 'these files' : path === '-' ? 'standard input' : path
  if (parts.length === 0) throw new UsageError(`no text to search in ${name}`)
  return parts
}

/** Asks before many embeddings are requested. @throws UsageError without a terminal; FailedError if the user declines. */
async function confirm(count: number, { options, io }: SimilarContext): Promise<void> {
  if (count <= maxParts || options.yes) return
  const many = `${count} parts to embed, in ${Math.ceil(count / defaultGroupSize)} requests`
  if (!canAsk(io)) throw new UsageError(many, { hint: 'use --yes to embed them, or name fewer files' })
  if (!(await askConfirmation(safe`${sanitizeName(many)}. Go on?`, io))) throw new FailedError('nothing was sent')
}
