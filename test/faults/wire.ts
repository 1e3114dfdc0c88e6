/** Replies as the bytes on the wire, so that they can break anywhere. */

import { STATUS_CODES } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

/** What the server does after it has sent everything before. */
export type Action =
  /** Resets the connection. */
  | 'reset'
  /** Closes the connection. */
  | 'close'
  /** Sends nothing more, and keeps the connection open. */
  | 'stall'
  /** Waits until the run has printed something. */
  | 'await output'

/** Bytes to send, or what to do. */
export type Step = string | Uint8Array | { readonly do: Action }

export const reset: Step = { do: 'reset' }
export const close: Step = { do: 'close' }
export const stall: Step = { do: 'stall' }
export const awaitOutput: Step = { do: 'await output' }

export function isData(step: Step): step is string | Uint8Array {
  return typeof step === 'string' || step instanceof Uint8Array
}

/** How the end of a body is marked; `bytes` is chunked, with one byte in each chunk. */
export const framings = ['length', 'chunked', 'bytes', 'close'] as const
export type Framing = (typeof framings)[number]

export const encoders = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
} as const
export type Encoding = keyof typeof encoders

export interface Response {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: readonly Step[]
  /** (default: chunked) */
  readonly framing?: Framing
  readonly encoding?: Encoding
  /** Statuses of replies before this one, such as 103. */
  readonly interim?: readonly number[]
}

/** The bytes of a response, with the actions of its body in their places. */
export function wire(response: Response): Step[] {
  const { status = 200, headers = {}, framing = 'chunked', encoding, interim = [] } = response
  const body = encoding === undefined ? response.body : [encoders[encoding](Buffer.concat(bytesOf(response.body)))]
  const all = {
    ...headers,
    ...(encoding !== undefined && { 'content-encoding': encoding }),
    ...framingHeader(framing, body),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return [
    ...interim.map((code) => `${statusLine(code)}\r\n`),
    `${statusLine(status)}${lines.join('')}\r\n`,
    ...body.flatMap((step) => (isData(step) ? framed(Buffer.from(step), framing) : [step])),
    ...(framing === 'chunked' || framing === 'bytes' ? ['0\r\n\r\n'] : []),
    ...(framing === 'close' ? [close] : []),
  ]
}

function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
}

function bytesOf(steps: readonly Step[]): Buffer[] {
  return steps.filter(isData).map((step) => Buffer.from(step))
}

function framingHeader(framing: Framing, body: readonly Step[]): Record<string, string> {
  if (framing === 'close') return { connection: 'close' }
  if (framing === 'length') return { 'content-length': String(Buffer.concat(bytesOf(body)).length) }
  return { 'transfer-encoding': 'chunked' }
}

function framed(data: Buffer, framing: Framing): Step[] {
  if (framing === 'chunked') return data.length === 0 ? [] : [chunk(data)]
  if (framing === 'bytes') return Array.from(data, (_, at) => chunk(data.subarray(at, at + 1)))
  return [data]
}

function chunk(data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
}
