import { decodeModels, isAlias, type Model } from '../api/models.ts'
import { operations } from '../api/operations.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { advice, NetworkError, syn } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { modelAliases } from '../fields/model-facts.ts'
import { requestOptions } from '../fields/request-options.ts'
import { type Json, listIn } from '../io/json/json.ts'
import { writeJson } from '../io/json/print.ts'
import { showModels } from '../models/view.ts'
import { writeText } from '../io/io.ts'
import { printRequest } from '../preview.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { missingKeyText } from '../io/text/plural.ts'
import { safe } from '../io/text/safe-text.ts'
import { withTarget } from '../io/files/output.ts'
import { withSpinner } from '../terminal/spinner.ts'

const listOptions = {
  ids: { kind: 'switch', everyday: true, help: 'Print only IDs, one per line' },
  json: { ...requestOptions.json, exclusive: ['ids'] },
  curl: requestOptions.curl,
  refresh: { kind: 'switch', everyday: true, help: 'Fetch the list even if it is less than an hour old' },
  output: requestOptions.output,
} as const satisfies Fields

const listExamples = [
  ['List all models', 'syn models'],
  ['Find models that take images', 'syn models | grep image'],
  ['Choose a model with fzf', 'syn chat -m "$(syn models --ids | fzf)" "Say hello"'],
] as const

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
  },
})

async function list(context: CommandContext<Fields, typeof listOptions>): Promise<void> {
  const { options, notices, io, catalog } = context
  if (context.isPreview) return printRequest(operations.models, undefined, context)
  await withTarget(options.output, io, async (target) => {
    // May come from the cache.
    const fetch = () => catalog.list({ refresh: options.refresh })
    const reply = await withSpinner(safe`fetching the model list`, context, fetch)
    if (options.json) return writeJson(reply.exact(), target)
    const all = await decode(reply.json, context)
    const unlisted = catalog.hasAliases(all) ? modelAliases.filter((alias) => !all.some(({ id }) => id === alias)) : []
    const aliases = [...all.filter(isAlias), ...decodeModels(unlisted.map((id) => ({ id })))]
    const models = all.filter((model) => !isAlias(model))
    if (options.ids) await writeText(target, tabSeparated([...models, ...aliases].map(({ id }) => [id])))
    else await showModels(models, aliases, target, context)
    if (all.length === 0) await notices.info('the service lists no models')
  })
}

/**
 * Decodes the rows, and prints a notice for those without an ID.
 * @throws NetworkError for a reply that is not a list.
 */
async function decode(reply: Json, { notices }: Pick<CommandContext, 'notices'>): Promise<Model[]> {
  const rows = listIn(reply, 'data')
  if (!rows)
    throw new NetworkError('the reply is not a model list', { hint: advice`use ${syn('models --json')} to print it` })
  const all = decodeModels(reply)
  const skipped = rows.length - all.length
  if (skipped > 0) await notices.info(missingKeyText(skipped, 'ID', 'row of the list', 'rows of the list'))
  return all
}
