import type { ServerResponse } from 'node:http'
import type { Answer } from './service.ts'
import { delta } from './chat-chunks.ts'

/** How a streamed answer stands on the wire. */
export interface AnswerWriter<Piece> {
  begin(): string
  write(piece: Piece): string
  end(): string
}

/** A streamed answer that arrives as the test says. */
export class PacedStream<Piece> {
  readonly answer: Answer
  /** Resolves when the request has come. */
  readonly asked: Promise<void>
  /** Resolves when whoever asked is gone, or has its whole answer. */
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
   * All of them in one write; resolves when whoever asked has room for more.
   * @returns whether anybody is there to take more.
   */
  async pour(...pieces: Piece[]): Promise<boolean> {
    const response = await this.#response
    const text = pieces.map((piece) => this.#writer.write(piece)).join('')
    if (!response.destroyed && !response.write(text)) {
      await Promise.race([this.closed, new Promise((resolve) => response.once('drain', resolve))])
    }
    return !response.destroyed
  }

  /** All of them in one write. */
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

/** The same of chat chunks, each written out; a string is a piece of the first choice's text. */
export class PacedAnswer extends PacedStream<object | string> {
  constructor() {
    super({
      begin: () => '',
      write: (chunk) => `data: ${JSON.stringify(typeof chunk === 'string' ? delta(chunk) : chunk)}\n\n`,
      end: () => 'data: [DONE]\n\n',
    })
  }
}
