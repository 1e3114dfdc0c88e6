/** An MCP server over HTTP. */

import type { Answer } from './service.ts'

export interface Message {
  id?: number
  method?: string
  params?: { protocolVersion?: string }
}

const tools = [{ name: 'call', description: 'Calls', inputSchema: { type: 'object' } }]

/** Replies as an MCP server over HTTP does, but to a method of `others` with this. */
export function serverWith(others: Record<string, Answer> = {}, asStream = false): Answer {
  return (asked, response) => {
    const { id, method = asked.method, params } = (asked.json ?? {}) as Message
    const other = others[method]
    if (other) return other(asked, response)
    if (id === undefined) return void response.writeHead(202).end()
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: 'called' }] },
    }
    const message = JSON.stringify({ jsonrpc: '2.0', id, result: results[method] })
    const type = asStream ? 'text/event-stream' : 'application/json'
    response.writeHead(200, { 'content-type': type, 'mcp-session-id': 'session 1' })
    response.end(asStream ? `event: message\ndata: ${message}\n\n` : message)
  }
}
