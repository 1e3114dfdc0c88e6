import { operations } from '../api/operations.ts'
import { decodeResults, type WebSearchResult } from '../api/search/decode.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { NetworkError, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { type Json, type JsonObject, listIn } from '../io/json/json.ts'
import { writeJson } from '../io/json/print.ts'
import { requestOptions } from '../fields/request-options.ts'
import { readQuery } from '../input/prompt.ts'
import { printRequest } from '../preview.ts'
import { type OutputTarget, withTarget } from '../io/files/output.ts'
import { writeText } from '../io/io.ts'
import { webUrl } from '../io/url.ts'
import { safe } from '../io/text/safe-text.ts'
import { missingKeyText } from '../io/text/plural.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { withSpinner } from '../terminal/spinner.ts'

/** The specification does not define the request. */
const searchFields = {
  query: { kind: 'text', required: true, help: 'Query, instead of arguments' },
} as const satisfies Fields

const searchOptions = {
  limit: { kind: 'number', minimum: 1, whole: true, everyday: true, help: 'Show only the first N results' },
  urls: { kind: 'switch', everyday: true, help: 'Print only URLs, one per line' },
  ...requestOptions,
  json: { ...requestOptions.json, exclusive: ['urls', 'limit'] },
} as const satisfies Fields

type SearchContext = CommandContext<typeof searchFields, typeof searchOptions>

export default defineCommand({
  description:
    'Send a query to the web search of the service. A terminal shows numbered results.\n\n' +
    'When piped, output is tab-separated, one line per result: URL, title, publication time, and snippet. ' +
    'Unknown values are empty; tabs and line breaks inside a value become spaces.',
  arguments: [{ name: 'query', help: 'Query, or - for stdin', many: true, exclusive: ['query'] }],
  fields: searchFields,
  options: searchOptions,
  examples: [
    ['Search the web', 'syn search "how tall is the Eiffel tower"'],
    ['Print the first address', 'syn search --urls --limit 1 node stream backpressure'],
    ['Download the results', 'syn search --urls --limit 3 mdoc manual | xargs curl -sSL'],
    ['Summarize the results', 'syn search "news on fusion" | syn chat "Summarize, with sources"'],
  ],

  async run(context) {
    const { words, fields, options, client, notices, io } = context
    const query = await readQuery(words, fields.query !== undefined, io)
    const body: JsonObject = query === undefined ? fields : { ...fields, query }
    if (body.query === undefined || (typeof body.query === 'string' && body.query.trim() === '')) {
      throw new UsageError('no query: give it as arguments or on standard input', {
        hint: 'for example: syn search "how tall is the Eiffel tower"',
      })
    }
    if (context.isPreview) return printRequest(operations.search, body, context)
    await withTarget(options.output, io, async (target) => {
      const { json: reply, exact } = await withSpinner(safe`searching`, context, () =>
        client.send(operations.search, body),
      )
      if (options.json) return writeJson(exact(), target)
      const results = (await decode(reply, context)).slice(0, options.limit)
      const urls = results.flatMap(({ url }) => webUrl(url) ?? [])
      if (!options.urls) await show(results, target, context)
      else await writeText(target, tabSeparated(urls.map((url) => [url])))
      const others = options.urls ? results.length - urls.length : 0
      if (others > 0) await notices.info(missingKeyText(others, 'http or https URL', 'result'))
      if (results.length === 0) await notices.info('no results')
    })
  },
})

/**
 * Decodes the results, and prints a notice for those without a URL.
 * @throws NetworkError for a reply that is not a list of results.
 */
async function decode(reply: Json, { notices }: Pick<SearchContext, 'notices'>): Promise<WebSearchResult[]> {
  const rows = listIn(reply, 'results')
  if (!rows) throw new NetworkError('the reply has no list of results', { hint: 'use --json to print it' })
  const results = decodeResults(reply)
  const skipped = rows.length - results.length
  if (skipped > 0) await notices.info(missingKeyText(skipped, 'URL', 'result'))
  return results
}

async function show(results: readonly WebSearchResult[], target: OutputTarget, context: SearchContext): Promise<void> {
  if (target.isTerminal)
    return (await import('../search/results.ts')).writeSearchResults(results, target, context.loadStyle)
  const rows = results.map(({ url, title, published, snippet }) => [url, title ?? '', published ?? '', snippet])
  return target.write(tabSeparated(rows))
}
