import { embeddingsFields } from '../api/embeddings/fields.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { removeCache } from '../embeddings/cache-folders.ts'
import { FailedError, UsageError, withAddedHint } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { inputOptions, jsonOption, recordOptions, requestOptions } from '../fields/request-options.ts'
import { maxParts, type Part, partKinds, readParts } from '../input/parts.ts'
import { readQuery, shouldReadStdin } from '../input/prompt.ts'
import { append } from '../io/arrays.ts'
import { withTarget } from '../io/files/output.ts'
import { isFile, mayExist } from '../io/files/stats.ts'

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
    placeholder: 'PATH',
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
    const { min = -1, limit = defaultLimit } = options
    const { searchParts, locationText, writeSimilarTexts } = await import('../embeddings/nearest.ts')
    const ranked = await withTarget(options.output, io, async (target) => {
      const ranked = await searchParts(question, parts, { ...fields, ...options }, context)
      const isJson = options.json ?? options.output?.endsWith('.json')
      const near = ranked.filter(({ similarity }) => similarity >= min)
      await writeSimilarTexts(near.slice(0, limit), isJson, target)
      return ranked
    })
    const [nearest] = ranked
    if (nearest && nearest.similarity >= min) return
    throw new FailedError(nearest ? `nothing reaches --min ${min}` : 'the service refused every part', {
      hint: nearest && `the nearest is ${locationText(nearest)}, with ${nearest.similarity}`,
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
async function readPaths(context: SimilarContext): Promise<Part[]> {
  const { words, options, io } = context
  const [question = '', ...named] = words
  const paths = [...named, ...(options.file ?? [])]
  if (paths.length === 0 && shouldReadStdin({ words: [], hasOther: false }, io)) append(paths, ['-'])
  if (paths.length === 0) throw new UsageError('no files: name files or folders after the question, or pipe a text in')
  const format = options.lines ? 'lines' : options.inputFormat
  return readParts(paths, { ...options, format }, context).catch((error: unknown) => {
    const isSplit = !/\s/.test(question) && named.length > 1 && !mayExist(named[0] ?? '')
    const hint = mayExist(question) ? 'the question comes before the files' : isSplit && 'put the question in quotes'
    throw error instanceof UsageError && hint ? withAddedHint(error, hint) : error
  })
}
