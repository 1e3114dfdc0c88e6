/** The web search of the service as a tool. It needs no file. */

import { operations } from '../api/operations.ts'
import { decodeResults } from '../api/search/decode.ts'
import { createTool, loadArgumentCheck, type Tool, type ToolsContext } from './tool.ts'
import { searchName } from './tools-file.ts'

const parameters = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What to search for' } },
  required: ['query'],
}

export async function searchTool({ client, io, secrets }: ToolsContext): Promise<Tool> {
  return createTool(
    {
      name: searchName,
      label: searchName,
      description: 'Search the web. Returns the URL, title, date and an excerpt of each page.',
      parameters,
      check: await loadArgumentCheck(parameters, io.signal),
      run: async ({ query = '' }, signal) => {
        const { json } = await client.send(operations.search, { query }, { signal })
        const results = decodeResults(json).map(({ url, title, published, snippet }) =>
          [url, title, published, snippet].filter((line) => line !== undefined && line !== '').join('\n'),
        )
        return { text: results.length === 0 ? 'no results\n' : `${results.join('\n\n')}\n` }
      },
    },
    secrets,
  )
}
