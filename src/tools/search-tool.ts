/** The web search of the service as a tool. It needs no file. */

import { operations } from '../api/operations.ts'
import { decodeResults } from '../api/search/decode.ts'
import { createTool, loadValidator, type Tool, type ToolsContext } from './tool.ts'
import { searchName as name } from './tools-file.ts'

const description = 'Search the web. Returns the URL, title, date and an excerpt of each page.'
const query = { type: 'string', description: 'What to search for' }
const parameters = { type: 'object', properties: { query }, required: ['query'] }

export async function searchTool(context: ToolsContext): Promise<Tool> {
  const validate = await loadValidator(parameters, context.io.signal)
  // The client has time limits of its own.
  const timeout = Infinity
  const run = async (args: object, signal: AbortSignal): Promise<{ text: string }> => {
    const { json } = await context.client.send(operations.search, { ...args }, { signal })
    const results = decodeResults(json).map(({ url, title, published, snippet }) =>
      [url, title, published, snippet].filter(Boolean).join('\n'),
    )
    return { text: results.length === 0 ? 'no results\n' : `${results.join('\n\n')}\n` }
  }
  return createTool({ name, label: name, description, parameters, timeout, validate, run }, context)
}
