/** The server of the benchmark, in a process of its own: its CPU time is not measured. The model chooses the reply. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerPieces, embeddingsReply, markdownModel, markdownPieces, quota, type StreamOperation } from './replies.ts'

const streams: Readonly<Record<string, StreamOperation>> = {
  '/openai/v1/chat/completions': 'chat',
  '/openai/v1/completions': 'complete',
  '/anthropic/v1/messages': 'messages',
}

interface Body {
  readonly model?: string
  readonly input?: readonly string[] | string
}

const server = createServer((request, response) => void reply(request, response))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
// The benchmark has ended.
process.on('disconnect', () => process.exit())

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '' } = request
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (url === '/v2/quotas') return send(response, 'application/json', [JSON.stringify(quota)])
  const { model = '', input = [] } = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Body
  const count = Number(/-(\d+)$/.exec(model)?.[1])
  const operation = streams[url]
  if (operation) {
    const pieces = model === markdownModel ? markdownPieces() : answerPieces(operation, count)
    return send(response, 'text/event-stream', pieces)
  }
  if (url === '/openai/v1/embeddings')
    return send(response, 'application/json', [embeddingsReply([input].flat(), count)])
  response.writeHead(404).end()
}

async function send(response: ServerResponse, type: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  response.writeHead(200, { 'content-type': type })
  for (const piece of pieces) if (!response.write(piece) && !response.destroyed) await once(response, 'drain')
  response.end()
}
