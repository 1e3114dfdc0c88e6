import type { ServerResponse } from 'node:http'
import type { Answer } from './service.ts'
import { delta } from './chat-chunks.ts'

/** A streamed answer that arrives as the test says. */
export class PacedAnswer {
  readonly answer: Answer
  /** Resolves when the request has come. */
  readonly asked: Promise<void>
  /** Resolves when whoever asked is gone, or has its whole answer. */
  readonly closed: Promise<void>
  readonly #response: Promise<ServerResponse>

  constructor() {
    let isAsked: (response: ServerResponse) => void
    this.#response = new Promise((resolve) => (isAsked = resolve))
    this.asked = this.#response.then(() => undefined)
    this.closed = this.#response.then((response) => new Promise((resolve) => response.on('close', resolve)))
    this.answer = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      isAsked(response)
    }
  }

  /** A string is a piece of the first choice's text. */
  async send(...chunks: (object | string)[]): Promise<void> {
    const response = await this.#response
    for (const chunk of chunks) {
      response.write(`data: ${JSON.stringify(typeof chunk === 'string' ? delta(chunk) : chunk)}\n\n`)
    }
  }

  async finish(...chunks: (object | string)[]): Promise<void> {
    await this.send(...chunks)
    const response = await this.#response
    response.end('data: [DONE]\n\n')
  }
}
