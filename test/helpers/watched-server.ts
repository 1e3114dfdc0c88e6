/** A server that shows its connections, and answers as the sandbox does. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import tls, { createServer as createSecureServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { startSandbox } from '../../src/sandbox/server.ts'
import { testNow } from './clock.ts'

export const certificate = fileURLToPath(new URL('../fixtures/tls/self-signed.pem', import.meta.url))

/**
 * Makes runs in this process trust the certificate, as NODE_EXTRA_CA_CERTS does, which Node reads when it starts.
 * @returns a function that ends it.
 */
export function trustCertificate(): () => void {
  const { createSecureContext } = tls
  const ca = readFileSync(certificate)
  tls.createSecureContext = (options) => createSecureContext({ ca, ...options })
  return () => void (tls.createSecureContext = createSecureContext)
}

interface WatchedServerOptions {
  readonly isSecure?: boolean
  /** Handles a connection in place of the sandbox. @param number How many came before. */
  readonly take?: (socket: Socket, number: number) => boolean
}

export async function startWatchedServer({ isSecure = true, take = () => false }: WatchedServerOptions = {}) {
  const sandbox = await startSandbox({ port: 0, rate: 0, now: testNow })
  const connections: Socket[] = []
  const serve = (socket: Socket): void => {
    socket.on('error', () => undefined)
    if (!take(socket, connections.push(socket) - 1)) {
      const target = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1')
      target.on('error', () => undefined)
      socket.pipe(target).pipe(socket)
    }
    server.emit('served', socket)
  }
  const identity = readFileSync(certificate)
  const server = isSecure ? createSecureServer({ key: identity, cert: identity }, serve) : createServer(serve)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** The URL, the key, and for https the certificate. */
    env: {
      SYN_BASE_URL: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
      SYN_API_KEY: sandbox.key,
      NODE_EXTRA_CA_CERTS: certificate,
    },
    /** All so far; over TLS, those whose handshake is complete. */
    connections,
    /** Serves a connection that came elsewhere. */
    accept: (socket: Socket) => void server.emit('connection', socket),
    /** The next connection. */
    next: async () => ((await once(server, 'served')) as [Socket])[0],
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const socket of connections) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await sandbox.close()
    },
  }
}
