import type { ServerResponse } from 'node:http'
import type { Answer } from './service.ts'
import { delta } from './chat-chunks.ts'

/** The wire format of a streamed answer. */
export interface AnswerWriter<Piece> {
  begin(): string
  write(piece: Piece): string
  end(): string
}

/** A streamed answer whose pieces the test sends one by one. */
export class PacedStream<Piece> {
  readonly answer: Answer
  /** Resolves when the request has arrived. */
  readonly asked: Promise<void>
  /** Resolves when the client has closed the connection, or has the whole answer. */
  readonly closed: Promise<void>
  readonly #writer: AnswerWriter<Piece>
  readonly #response: Promise<ServerResponse>

  constructor(writer: AnswerWriter<Piece>, headers: Record<string, string> = {}) {
    this.#writer = writer
    let isAsked: (response: ServerResponse) => void
    this.#response = new Promise((resolve) => (isAsked = resolve))
    this.asked = this.#response.then(() => undefined)
    this.closed = this.#response.then((response) => new Promise((resolve) => response.on('close', resolve)))
    this.answer = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
      response.flushHeaders()
      const beginning = writer.begin()
      if (beginning !== '') response.write(beginning)
      isAsked(response)
    }
  }

  /**
   * Sends the pieces in one write. Resolves when the client is ready for more.
   * @returns whether the client is still connected.
   */
  async pour(...pieces: Piece[]): Promise<boolean> {
    const response = await this.#response
    const text = pieces.map((piece) => this.#writer.write(piece)).join('')
    if (!response.destroyed && !response.write(text)) {
      await Promise.race([this.closed, new Promise((resolve) => response.once('drain', resolve))])
    }
    return !response.destroyed
  }

  /** Sends the pieces in one write. */
  async send(...pieces: Piece[]): Promise<void> {
    const response = await this.#response
    const text = pieces.map((piece) => this.#writer.write(piece)).join('')
    if (text !== '') response.write(text)
  }

  async finish(...pieces: Piece[]): Promise<void> {
    await this.send(...pieces)
    const response = await this.#response
    response.end(this.#writer.end())
  }
}

/** A paced answer of chat chunks. A string is a piece of the first choice's text. */
export class PacedAnswer extends PacedStream<object | string> {
  constructor() {
    super({
      begin: () => '',
      write: (chunk) => `data: ${JSON.stringify(typeof chunk === 'string' ? delta(chunk) : chunk)}\n\n`,
      end: () => 'data: [DONE]\n\n',
    })
  }
}
