/** A TCP server that answers each HTTP request with the steps that the test gives. */

import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { isData, type Step } from './wire.ts'

export interface Server extends AsyncDisposable {
  readonly port: number
  /** The paths of all requests, in order. */
  readonly paths: string[]
}

export interface ServerOptions {
  /** @param number How many requests came before. */
  readonly answer: (path: string, number: number) => readonly Step[]
  /** Resolves when the run has printed something. */
  readonly output?: Promise<void>
  /** Whether to speak TLS, with a certificate that nobody trusts. */
  readonly isSecure?: boolean
  /** Sent as soon as a client is connected. */
  readonly greeting?: readonly Step[]
}

const pem = new URL('../fixtures/tls/self-signed.pem', import.meta.url)

export async function startServer({ answer, output, isSecure = false, greeting = [] }: ServerOptions): Promise<Server> {
  const paths: string[] = []
  const sockets = new Set<Socket>()
  const serve = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    void perform(greeting, socket)
    let received = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data])
      const request = readRequest(received)
      if (!request) return
      received = received.subarray(request.length)
      const steps = answer(request.path, paths.length)
      paths.push(request.path)
      void perform(steps, socket, output)
    })
  }
  const identity = isSecure ? readFileSync(pem) : undefined
  const server = identity ? createSecureServer({ key: identity, cert: identity }, serve) : createServer(serve)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    paths,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** @returns `undefined` until the request is complete. */
function readRequest(received: Buffer): { path: string; length: number } | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = received.subarray(0, end).toString('latin1')
  const length = end + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  return received.length < length ? undefined : { path: head.split(' ')[1] ?? '', length }
}

async function perform(steps: readonly Step[], socket: Socket, output?: Promise<void>): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return
    if (isData(step)) {
      if (!socket.write(step)) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
      continue
    }
    switch (step.do) {
      case 'await output':
        await output
        break
      case 'reset':
        socket.resetAndDestroy()
        return
      case 'close':
        socket.end()
        return
      case 'stall':
        return
    }
  }
}
