import { decodeModels, isAlias, modelRows, type Model } from '../api/models.ts'
import { operations } from '../api/operations.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { advice, NetworkError, syn } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { requestOptions } from '../fields/request-options.ts'
import type { Json } from '../io/json/json.ts'
import { writeJson } from '../io/json/print.ts'
import type { ModelList } from '../models/catalog.ts'
import { aliasesOf, findModel, withAllAliases } from '../models/select.ts'
import { showModel, showModels } from '../models/view.ts'
import { writeText } from '../io/io.ts'
import { printRequest } from '../preview.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { missingKeyText } from '../io/text/plural.ts'
import { safe } from '../io/text/safe-text.ts'
import { withTarget } from '../io/files/output.ts'
import { withSpinner } from '../terminal/spinner.ts'

const sharedOptions = {
  refresh: { kind: 'switch', everyday: true, help: 'Fetch the list even if it is less than an hour old' },
  output: requestOptions.output,
} as const satisfies Fields

const listOptions = {
  ids: { kind: 'switch', everyday: true, help: 'Print only IDs, one per line' },
  json: { ...requestOptions.json, exclusive: ['ids'] },
  curl: requestOptions.curl,
  ...sharedOptions,
} as const satisfies Fields

const showOptions = {
  json: { kind: 'switch', everyday: true, help: "Print the model's entry as JSON" },
  ...sharedOptions,
} as const satisfies Fields

const listExamples = [
  ['List all models', 'syn models'],
  ['Find models that take images', 'syn models | grep image'],
  ['Choose a model with fzf', 'syn chat -m "$(syn models --ids | fzf)" "Say hello"'],
] as const

type ModelsContext<O extends Fields> = CommandContext<Fields, O>

export default defineCommand({
  description:
    'List the models of the service, with prices in dollars per million tokens, and the aliases with the models they ' +
    'point to now. The list is cached for an hour.\n\n' +
    'When piped, output is tab-separated, one line per model or alias: ID, context length in tokens, input ' +
    'types, features, price per input token, price per output token, for an alias its model, price per cached ' +
    'token read and written, and reasoning efforts. Unknown values are empty.',
  options: listOptions,
  examples: [...listExamples, ['Print ID and context length', 'syn models | cut -f 1,2']],
  run: list,

  subcommands: {
    list: {
      summary: 'List models and aliases',
      options: listOptions,
      examples: listExamples,
      run: list,
    },
    show: {
      summary: 'Show everything about one model',
      description:
        'Print every key of the entry, and the aliases that point to the model. When piped, output is tab-separated: key ' +
        'and value. Several values are separated by commas.',
      arguments: [
        {
          name: 'id',
          help: 'Model ID, with or without hf:, or an alias',
          required: true,
          completes: 'model',
        },
      ],
      options: showOptions,
      examples: [
        ['Show the model of an alias', 'syn models show syn:large:text'],
        ['Print the full entry', 'syn models show syn:large:text --json'],
        ['Print one value', 'syn models show syn:large:text --json | jq .context_length'],
      ],
      run: show,
    },
  },
})

async function list(context: ModelsContext<typeof listOptions>): Promise<void> {
  const { options, notices, io, catalog } = context
  if (context.isPreview) return printRequest(operations.models, undefined, context)
  await withTarget(options.output, io, async (target) => {
    const reply = await fetchList(context)
    if (options.json) return writeJson(reply.exact(), target)
    const all = await decode(reply.json, context)
    const listed = catalog.hasAliases(all) ? withAllAliases(all) : all
    const [models, aliases] = [listed.filter((model) => !isAlias(model)), listed.filter(isAlias)]
    if (options.ids) await writeText(target, tabSeparated([...models, ...aliases].map(({ id }) => [id])))
    else await showModels(models, aliases, target, context)
    if (all.length === 0) await notices.info('the service lists no models')
  })
}

async function show(context: ModelsContext<typeof showOptions>): Promise<void> {
  const { words, options, io } = context
  const [name = ''] = words
  await withTarget(options.output, io, async (target) => {
    const reply = await fetchList(context)
    const all = await decode(reply.json, context)
    const model = findModel(all, name)
    if (options.json) return writeJson(findModel(decodeModels(reply.exact()), name).row, target)
    return showModel(model, aliasesOf(model, all), target, context)
  })
}

/** The reply, which may come from the cache. */
function fetchList(context: ModelsContext<typeof sharedOptions>): Promise<ModelList> {
  const { options, catalog } = context
  return withSpinner(safe`fetching the model list`, context, () => catalog.list({ refresh: options.refresh }))
}

/**
 * Decodes the rows, and prints a notice for those without an ID.
 * @throws NetworkError for a reply that is not a list.
 */
async function decode(reply: Json, { notices }: Pick<CommandContext, 'notices'>): Promise<Model[]> {
  const rows = modelRows(reply)
  if (!rows)
    throw new NetworkError('the reply is not a model list', { hint: advice`use ${syn('models --json')} to print it` })
  const all = decodeModels(reply)
  const skipped = rows.length - all.length
  if (skipped > 0) await notices.info(missingKeyText(skipped, 'ID', 'row of the list', 'rows of the list'))
  return all
}
